import { describe, expect, it } from "vitest";
import { parseSpec } from "../../src/sources/specs/read-spec.ts";
import { fixture } from "../corpus/cases.ts";
import { codesOf, figuresOf, findingsOf, onlyApp, probeOf, specsOf } from "./probe-cases.ts";

const PROBES = "properties.template.containers[0].probes";
const of = (text: string) => figuresOf(parseSpec(text, "spec"), []);
const corpus = async (name: string) => figuresOf(await specsOf(fixture(name)), []);

/** `handler path:port, confidence` by probe type. */
async function kinds(figures: Awaited<ReturnType<typeof of>>): Promise<string[]> {
  return figures.apps.flatMap(({ probes }) =>
    probes.map(({ inferred: { handler, port, path }, confidence }) =>
      `${handler} ${path ?? ""}${port === null ? "" : `:${port}`}`.trim().concat(`, ${confidence}`),
    ),
  );
}

describe("the specs of the corpus", () => {
  it("70: a startup probe alone, 15 s, the other two left to an undocumented default", async () => {
    const figures = await corpus("70-spec-startup-only-http.yaml");
    expect(await kinds(figures)).toEqual([
      "http /nonexistent-health-endpoint:80, likely",
      "tcp :80, unknown",
      "tcp :80, unknown",
    ]);
    const app = onlyApp(figures);
    expect(app.app).toBe("orders-api");
    // 0 s + 5 s × 3
    expect(probeOf(app, "startup").declared).toMatchObject({ origin: "written", budgetSeconds: 15 });
    expect(probeOf(app, "readiness").declared.origin).toBe("partial-default");
    expect(findingsOf(figures)).toEqual([
      `startup-budget-short at ${PROBES}[0]`,
      `partial-set at ${PROBES}[0]`,
    ]);
  });

  it("72: liveness alone on another port, an init container that is not probed", async () => {
    const figures = await corpus("72-spec-liveness-only-init-port-differs.json");
    expect(await kinds(figures)).toEqual([
      "tcp :3000, unknown",
      "tcp :3000, unknown",
      "http /health:8080, likely",
    ]);
    expect(findingsOf(figures, "caution")).toEqual([
      `port-differs at ${PROBES}[0]`,
      `liveness-ends-slow-starts at ${PROBES}[0]`,
      `partial-set at ${PROBES}[0]`,
    ]);
    expect(findingsOf(figures, "note")).toEqual([
      `liveness-does-not-warm at ${PROBES}[0]`,
      "init-not-probed at properties.template.initContainers[0]",
    ]);
    // 3 s + 3 s × 3, the threshold left out
    expect(probeOf(onlyApp(figures), "liveness").declared.budgetSeconds).toBe(12);
  });

  it("74: without ingress nothing is probed, and that is no failure", async () => {
    const figures = await corpus("74-spec-no-ingress-worker.json");
    expect(await kinds(figures)).toEqual(["none, likely", "none, likely", "none, likely"]);
    expect(figures.findings.map(({ code, level }) => `${level} ${code}`)).toEqual(["note no-ingress"]);
  });

  it("76: gRPC, a named port and two probes of a type are three problems, each with its place", async () => {
    const figures = await corpus("76-spec-grpc-probe-unsupported.yaml");
    expect(findingsOf(figures, "problem")).toEqual([
      `handler-not-allowed at ${PROBES}[0]`,
      `named-port at ${PROBES}[1]`,
      `type-repeated at ${PROBES}[2]`,
    ]);
    expect(await kinds(figures)).toEqual(["null, unknown", "null, unknown", "tcp :8080, unknown"]);
    expect(probeOf(onlyApp(figures), "readiness").declared.handlers).toEqual(["http", "tcp"]);
  });

  it("78: readiness of type process is no gate; only timeout leaves the defaults", async () => {
    const figures = await corpus("78-cf-manifest-top-level-process.yaml");
    expect(figures.apps.map(({ app }) => app)).toEqual(["migrate", "web-port"]);
    expect(await kinds(figures)).toEqual([
      "process, likely",
      "process, likely",
      "process, likely",
      "tcp, likely",
      "process, likely",
      "tcp, likely",
    ]);
    expect(probeOf(figures.apps[1]!, "startup").declared).toMatchObject({
      origin: "default",
      budgetSeconds: 180,
      periodSeconds: 2,
    });
    expect(findingsOf(figures, "caution")).toEqual([
      "readiness-is-no-gate at applications[0].readiness-health-check-type",
      "readiness-is-no-gate at applications[1].readiness-health-check-type",
      "tcp-passes-on-open-port at applications[1].health-check-type",
    ]);
  });

  it("80: port liveness, process readiness, and nulls are defaults", async () => {
    const figures = await corpus("80-cf-v3-process.json");
    expect(await kinds(figures)).toEqual(["tcp, likely", "process, likely", "tcp, likely"]);
    expect(probeOf(onlyApp(figures), "liveness").declared).toMatchObject({
      periodSeconds: 30,
      timeoutSeconds: 1,
    });
    expect(codesOf(figures)).toContain("readiness-is-no-gate");
  });
});

describe("a Container App", () => {
  const app = (container: object, configuration: object | null = { ingress: { targetPort: 8080 } }) =>
    of(
      JSON.stringify({
        name: "a",
        properties: {
          ...(configuration && { configuration }),
          template: { containers: [{ name: "a", ...container }] },
        },
      }),
    );

  it("without probes and with ingress has the documented defaults", async () => {
    const figures = await app({ probes: null });
    expect(await kinds(figures)).toEqual(["tcp :8080, likely", "tcp :8080, likely", "tcp :8080, likely"]);
    const probes = onlyApp(figures);
    // 1 + 1 × 240 and 3 + 5 × 48
    expect(probeOf(probes, "startup").declared.budgetSeconds).toBe(241);
    expect(probeOf(probes, "readiness").declared.budgetSeconds).toBe(243);
    expect(probeOf(probes, "liveness").declared.budgetSeconds).toBeNull();
    expect(findingsOf(figures)).toEqual(["tcp-passes-on-open-port at startup, readiness"]);
  });

  it("whose ingress the file does not speak of tells nothing", async () => {
    expect(await kinds(await app({}, null))).toEqual(["null, unknown", "null, unknown", "null, unknown"]);
  });

  it("with an automatic port has a default probe without one", async () => {
    const figures = await app({}, { ingress: { targetPort: 0 } });
    expect(await kinds(figures)).toContain("tcp, likely");
  });

  it("has its probes held to the ranges", async () => {
    const probe = (more: object) => ({ type: "Startup", tcpSocket: { port: 8080 }, ...more });
    const faults = async (more: object) => findingsOf(await app({ probes: [probe(more)] }), "problem");
    expect(
      await faults({
        failureThreshold: 240,
        periodSeconds: 240,
        timeoutSeconds: 240,
        initialDelaySeconds: 60,
      }),
    ).toEqual([]);
    expect(await faults({ initialDelaySeconds: 0 })).toEqual([]);
    expect(await faults({ initialDelaySeconds: 61 })).toEqual([
      `out-of-range at ${PROBES}[0].initialDelaySeconds`,
    ]);
    expect(await faults({ failureThreshold: 241 })).toEqual([
      `out-of-range at ${PROBES}[0].failureThreshold`,
    ]);
    expect(await faults({ periodSeconds: 0 })).toEqual([`out-of-range at ${PROBES}[0].periodSeconds`]);
    expect(await faults({ successThreshold: 2 })).toEqual([`out-of-range at ${PROBES}[0].successThreshold`]);
    expect(await faults({ type: "Readiness", successThreshold: 2 })).toEqual([]);
    expect(await faults({ type: "Liveness", failureThreshold: 31 })).toEqual([
      `out-of-range at ${PROBES}[0].failureThreshold`,
    ]);
    expect(codesOf(await app({ probes: [probe({ failureThreshold: 31 })] }))).toContain("high-threshold");
  });

  it("has probes without a known type or handler named", async () => {
    const figures = await app({
      probes: [
        { type: "Start", tcpSocket: { port: 1 } },
        { type: "Startup" },
        { type: "Liveness", exec: {} },
      ],
    });
    expect(findingsOf(figures, "problem")).toEqual([
      `unknown-type at ${PROBES}[0]`,
      `no-handler at ${PROBES}[1]`,
      `handler-not-allowed at ${PROBES}[2]`,
    ]);
  });

  it("has a sidecar's own probes kept apart from the app's", async () => {
    const text = JSON.stringify({
      name: "a",
      properties: {
        configuration: { ingress: { targetPort: 80 } },
        template: {
          containers: [
            { name: "a" },
            { name: "proxy", probes: [{ type: "Liveness", httpGet: { path: "/live", port: 81 } }] },
            { name: "agent" },
          ],
        },
      },
    });
    const figures = await of(text);
    expect(await kinds(figures)).toEqual(["tcp :80, likely", "tcp :80, likely", "tcp :80, likely"]);
    expect(findingsOf(figures, "note")).toEqual(["sidecar-not-probed at properties.template.containers[2]"]);
  });

  it("with HTTP readiness is warned of shared dependencies", async () => {
    const figures = await app({ probes: [{ type: "readiness", httpGet: { path: "/ready", port: "8080" } }] });
    expect(codesOf(figures)).toContain("readiness-over-dependency");
    expect((await kinds(figures))[1]).toBe("http /ready:8080, likely");
  });
});

describe("templates", () => {
  const template = (resources: unknown, more: object = {}) =>
    JSON.stringify({ $schema: "https://schema.management.azure.com/…", ...more, resources });
  const resource = (probes: unknown, targetPort: unknown = 80) => ({
    type: "Microsoft.App/containerApps",
    name: "[parameters('name')]",
    properties: {
      configuration: { ingress: { targetPort } },
      template: { containers: [{ name: "c", probes }] },
    },
  });

  it("are read as a list, by symbolic names, and nested in a deployment", async () => {
    const app = resource([{ type: "Startup", tcpSocket: { port: 80 } }]);
    const inner = { type: "Microsoft.Resources/deployments", properties: { template: { resources: [app] } } };
    const places = async (text: string) =>
      probeOf(onlyApp(await of(text)), "startup").declared.place?.replace(`.${PROBES}[0]`, "");
    expect(await places(template([{ type: "Microsoft.Web/sites" }, app]))).toBe("resources[1]");
    expect(await places(template({ quotes: app }))).toBe("resources.quotes");
    expect(await places(template([inner]))).toBe("resources[0].properties.template.resources[0]");
  });

  it("have the defaults of parameters and variables put in", async () => {
    const text = template([resource("[variables('probes')]", "[parameters('port')]")], {
      parameters: { name: { defaultValue: "quotes" }, port: { type: "int", defaultValue: 8081 } },
      variables: { probes: [{ type: "Startup", tcpSocket: { port: "[parameters('port')]" } }] },
    });
    const figures = await of(text);
    expect(onlyApp(figures).app).toBe("quotes");
    expect((await kinds(figures))[0]).toBe("tcp :8081, likely");
  });

  it("do not have a guess in place of what only the deployment knows", async () => {
    const figures = await of(template([resource("[if(parameters('x'), 1, 2)]")]));
    expect(await kinds(figures)).toEqual(["null, unknown", "null, unknown", "null, unknown"]);
    expect(findingsOf(figures, "note")).toEqual([
      "unresolved-expression at resources[0].properties.template.containers[0].probes",
    ]);
  });

  it("know jobs, which have neither ingress nor default probes", async () => {
    const job = { ...resource(undefined), type: "Microsoft.App/jobs" };
    const figures = await of(template([job]));
    expect(onlyApp(figures).spec?.kind).toBe("job");
    expect(await kinds(figures)).toEqual(["none, likely", "none, likely", "none, likely"]);
    expect(codesOf(figures)).toEqual(["job"]);
  });
});

describe("Cloud Foundry", () => {
  it("takes the processes of an app, the app's own attributes being those of web", async () => {
    const figures = await of(`
applications:
- name: shop
  health-check-type: http
  health-check-http-endpoint: /live
  readiness-health-check-type: http
  readiness-health-check-http-endpoint: /ready
  processes:
  - type: web
    readiness-health-check-interval: 5
  - type: worker
`);
    expect(figures.apps.map(({ app }) => app)).toEqual(["shop", "shop (worker)"]);
    expect(await kinds(figures)).toEqual([
      "http /live, likely",
      "http /ready, likely",
      "http /live, likely",
      "process, likely",
      "process, likely",
      "process, likely",
    ]);
    expect(probeOf(figures.apps[0]!, "readiness").declared.periodSeconds).toBe(5);
  });

  it("names what the platform rejects", async () => {
    const figures = await of(`
applications:
- name: a
  health-check-http-endpoint: /health
- name: b
  readiness-health-check-type: none
- name: c
  health-check-type: none
`);
    expect(findingsOf(figures, "problem")).toEqual([
      "not-accepted at applications[0].health-check-type",
      "not-accepted at applications[1].readiness-health-check-type",
    ]);
    expect(probeOf(figures.apps[2]!, "liveness").inferred.handler).toBe("process");
  });

  it("takes a page of the API's processes", async () => {
    const process = { type: "web", health_check: { type: "http", data: { endpoint: "/h", timeout: 90 } } };
    const figures = await of(
      JSON.stringify({ pagination: {}, resources: [process, { ...process, type: "worker" }] }),
    );
    expect(figures.apps.map(({ app }) => app)).toEqual(["web", "worker"]);
    expect(probeOf(figures.apps[0]!, "startup").declared).toMatchObject({
      handler: "http",
      path: "/h",
      budgetSeconds: 90,
    });
  });
});

describe("files that are no spec", () => {
  it.each([
    ["rows", '[{"timestamp": "2026-01-01", "name": "GET /"}]', /no app, job or process is declared/],
    ["nothing", "", /no app, job or process is declared/],
    ["broken YAML", "properties:\n  template: [", /neither JSON nor YAML \(line \d/],
    ["too deep", "[".repeat(500), /nested too deeply/],
    [
      "a bomb of aliases",
      `a: &a [${"x,".repeat(50)}x]\nb: &b [${"*a,".repeat(50)}*a]\nc: [${"*b,".repeat(50)}*b]`,
      /cannot be taken in/,
    ],
  ])("%s", (_name, text, fault) => {
    expect(() => parseSpec(text, "f")).toThrow(fault);
  });

  it("on disk are named with what to do", async () => {
    await expect(specsOf("/nowhere/app.yaml")).rejects.toThrow(
      "/nowhere/app.yaml: no such file; check the path of --spec",
    );
    await expect(specsOf("/")).rejects.toThrow("a folder");
  });
});
