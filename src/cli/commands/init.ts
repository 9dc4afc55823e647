import type { Command } from "commander";
import type { InitFlags } from "../init-write.ts";
import type { World } from "../world.ts";

const EXAMPLES = `
Examples:
  coldstart init --workspace 00000000-0000-0000-0000-000000000000 --role quotes-api --app quotes-api
  coldstart init --app-resource /subscriptions/…/providers/Microsoft.Insights/components/quotes --credential azure-cli
`;

/** `coldstart init`: write the configuration. */
export function addInit(program: Command, world: World, done: (code: number) => void): void {
  program
    .command("init")
    .description("write coldstart.config.yaml: where the data is")
    .addHelpText("after", EXAMPLES)
    .option("--workspace <id>", "Log Analytics workspace (its GUID)")
    .option("--app-resource <id>", "Application Insights resource (its resource id)")
    .option("--cluster <url>", "Azure Data Explorer cluster or Fabric eventhouse")
    .option("--database <name>", "its database")
    .option("--schema <names>", "workspace or classic: how tables are named there (workspace)")
    .option("--credential <name>", "how to sign in (default)")
    .option("--metrics-resource <id>", "container app (its resource id) whose ingress metric is read")
    .option("--metrics-region <region>", "its region")
    .option("--app <name>", "container app whose system log is read")
    .option("--role <name>", "role (cloud_RoleName) of the service")
    .option("--timezone <iana>", "time zone of days and of times without offset")
    .option("--out <file>", "where to write it (coldstart.config.yaml)")
    .option("--force", "overwrite the file")
    .action(async (flags: InitFlags) => {
      const { writeConfig } = await import("../init-write.ts");
      done(await writeConfig(flags, world));
    });
}
