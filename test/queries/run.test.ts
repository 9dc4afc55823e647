import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type QueryScope, valuesOf } from "../../src/cli/pull-queries.ts";
import { bindQuery, countByHour } from "../../src/sources/azure/query-file.ts";
import { parseInstant } from "../../src/telemetry/time.ts";
import { describeWithEngine, type EngineAnswer, KqlEngine } from "../azure/engine.ts";
import { ROOT } from "../cli/world.ts";
import { loadTable, workspaceRows } from "./tables.ts";
import * as rows from "./sample-rows.ts";
import { APP_METRICS, CLASSIC, SYSTEM_LOGS, SYSTEM_LOGS_CL_FORMS, WORKSPACE } from "./schemas.ts";
describeWithEngine("x", () => {
  let engine: KqlEngine;
  beforeAll(async () => {
    engine = new KqlEngine();
    for (const [c,w,r] of [["requests","AppRequests",rows.REQUESTS],["dependencies","AppDependencies",rows.DEPENDENCIES],["traces","AppTraces",rows.TRACES]] as const) {
      await loadTable(engine, c, CLASSIC[c]!, r);
      await loadTable(engine, w, WORKSPACE[w]!, workspaceRows(r));
    }
    await loadTable(engine,"customMetrics",CLASSIC.customMetrics!,rows.METRICS);
  });
  afterAll(()=>engine.close());
  const scope: QueryScope = { roles: [], app: "", keepQuery: false, warmedMessage: "warm-up finished" };
  const SLICE={from:parseInstant(rows.SINCE)!.ticks,to:parseInstant(rows.UPTO)!.ticks};
  const ask = async (name: string, more: Partial<QueryScope> = {}) => {
    const text = readFileSync(join(ROOT,"queries",`${name}.kql`),"utf8");
    const a= await engine.query(bindQuery(text, valuesOf(text, SLICE, {...scope,...more})));
    return a.rows.map(r=>Object.fromEntries(a.columns.map((c,i)=>[c.name,r[i]])));
  };
  it("x", async () => {
    for (const n of ["requests","app-requests","dependencies","app-dependencies","traces","app-traces","metrics","doctor-requests","app-doctor-requests"]) console.log(n, JSON.stringify(await ask(n).catch(e=>String(e)),null,1));
    for (const n of ["system-logs","system-logs-cl"]) console.log(n, JSON.stringify(await ask(n).catch(e=>String(e)),null,1));
  });
});
