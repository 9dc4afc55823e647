import type { AppSpec } from "../../telemetry/spec.ts";
import { containerApp } from "./container-app.ts";
import { type Bag, dig, get, isBag, isExpression, listOf, textOf } from "./values.ts";

const APP = /^microsoft\.app\/(?:containerapps(?:\/revisions)?|jobs)$/i;
const DEPLOYMENT = /^microsoft\.resources\/deployments$/i;
/** Templates nest a level or two; deeper is a loop. */
const MOST_LEVELS = 10;

/** Whether a document is an ARM template, such as `bicep build` writes. */
export function isTemplate(value: unknown): value is Bag {
  const resources = get(value, "resources");
  return (
    (Array.isArray(resources) || isBag(resources)) &&
    resourcesOf(value).some(({ type }) => type.includes("/"))
  );
}

/** The apps and jobs of an ARM template and of the deployments nested in it. */
export function templateApps(template: Bag, file: string, place = "", level = 0): AppSpec[] {
  return resourcesOf(template).flatMap(({ type, resource, key }) => {
    const own = place === "" ? key : `${place}.${key}`;
    if (APP.test(type)) {
      const resolved = resolve(resource, template);
      return isBag(resolved) && isBag(dig(resolved, "properties", "template"))
        ? [containerApp(resolved, file, "arm-template", own)]
        : [];
    }
    const inner = dig(resource, "properties", "template");
    if (!DEPLOYMENT.test(type) || !isBag(inner) || level === MOST_LEVELS) return [];
    const given = resolve(dig(resource, "properties", "parameters"), template);
    return templateApps(withParameters(inner, given), file, `${own}.properties.template`, level + 1);
  });
}

function resourcesOf(template: unknown): { type: string; resource: unknown; key: string }[] {
  const resources = get(template, "resources");
  // Symbolic names make an object of the list.
  const entries = Array.isArray(resources)
    ? resources.map((resource, i) => [`resources[${i}]`, resource] as const)
    : isBag(resources)
      ? Object.entries(resources).map(([name, resource]) => [`resources.${name}`, resource] as const)
      : [];
  return entries.map(([key, resource]) => ({ type: textOf(get(resource, "type")), resource, key }));
}

/** The inner template with the values that the outer one hands to its parameters. */
function withParameters(template: Bag, given: unknown): Bag {
  if (!isBag(given)) return template;
  const declared = get(template, "parameters");
  const parameters: Record<string, unknown> = { ...(isBag(declared) ? declared : {}) };
  for (const [name, value] of Object.entries(given)) {
    if (isBag(value) && Object.hasOwn(value, "value")) parameters[name] = { defaultValue: value.value };
  }
  return { ...template, parameters };
}

const REFERENCE = /^\[(parameters|variables)\('([^']+)'\)\]$/i;

/** The value with whole references to parameters (their defaults) and variables put in; others stay. */
function resolve(value: unknown, template: Bag, depth = 0): unknown {
  if (depth > 50) return value;
  if (Array.isArray(value)) return listOf(value).map((item) => resolve(item, template, depth + 1));
  if (isBag(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, resolve(item, template, depth + 1)]),
    );
  }
  if (!isExpression(value)) return value;
  const [, table, name] = REFERENCE.exec(value.trim()) ?? [];
  if (table === undefined || name === undefined) return value;
  const found =
    table.toLowerCase() === "variables"
      ? dig(template, "variables", name)
      : dig(template, "parameters", name, "defaultValue");
  return found === undefined ? value : resolve(found, template, depth + 1);
}
