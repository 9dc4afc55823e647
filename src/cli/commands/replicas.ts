import type { Command } from "commander";
import { dataPaths } from "../data.ts";
import type { ReplicaFlags } from "../replicas-run.ts";
import type { OutputFlags } from "../report-output.ts";
import type { World } from "../world.ts";
import { addAnalysisOptions, addOutputOptions, collect } from "./shared-options.ts";

const EXAMPLES = `
Examples:
  coldstart replicas --data system-logs.ndjson
  coldstart replicas --data export/ --timezone Europe/Vienna --deployed-at 2026-09-21T06:00:00Z
  coldstart replicas --data system-logs.ndjson --data requests.json --app quotes-api --cooldown 10m --format json
`;

/** `coldstart replicas`: how often are replicas born, why, how long do they live? */
export function addReplicas(program: Command, world: World, done: (code: number) => void): void {
  const command = program
    .command("replicas")
    .description("how often are replicas born, why, how long do they live?")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: ReplicaFlags & OutputFlags) => {
      const { reportFormat } = await import("../report-output.ts");
      const { analysisSettings } = await import("../analysis-options.ts");
      const { checkOut } = await import("../output.ts");
      const { replicaSettings, runReplicas } = await import("../replicas-run.ts");
      const format = reportFormat(flags.format);
      const paths = dataPaths(flags);
      await analysisSettings(flags);
      const settings = replicaSettings(flags);
      await checkOut(flags.out, world, paths);
      done(await runReplicas(flags, settings, format, world));
    });
  addAnalysisOptions(command)
    .option("--app <name>", "only this app of the system log (repeatable)", collect)
    .option("--cooldown <duration>", "a birth so soon after a scale-in is a cycle (5m)")
    .option("--vcpu <cores>", "vCPUs of a replica, all its containers together")
    .option("--memory <gib>", "memory of a replica in GiB, such as 1 or 1Gi")
    .option("--vcpu-rate <rate>", "price of a vCPU for a second, in any currency")
    .option("--gib-rate <rate>", "price of a GiB for a second");
  addOutputOptions(command, ["text", "json", "csv", "markdown"]);
}
