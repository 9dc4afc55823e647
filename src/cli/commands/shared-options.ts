import { type Command, Option } from "commander";

export function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

/** Adds the options that every analysis shares. */
export function addAnalysisOptions(command: Command): Command {
  return command
    .option("--data <path>", "capture, export file, folder, or - for standard input (repeatable)", collect)
    .option("--from <time>", "begin of the window (ISO 8601; a date alone is midnight in --timezone)")
    .option("--to <time>", "end of the window, exclusive")
    .option("--deployed-at <time>", "split the window into before and after")
    .option("--before <a..b>", "window of the cohort before, with --after")
    .option("--after <c..d>", "window of the cohort after, with --before")
    .option("--role <name>", "only rows of this role (cloud_RoleName)")
    .option("--revision <name>", "only instances of this revision")
    .option("--container <name>", "the app's container in the system log (all but sidecars of the platform)")
    .option("--timezone <iana>", "time zone of days and of times without offset (UTC)")
    .addOption(new Option("--days <days>", "all or weekdays (all)"))
    .option("--holidays <list>", "dates that count as weekend: YYYY-MM-DD,… or a file (repeatable)", collect)
    .option("--threshold <duration>", "what is slow: strictly longer than this (2s)")
    .option("--guard <duration>", "how long after the data's start a birth is doubted (10m)")
    .option("--probe-path <path>", "path of a health probe, in place of the usual ones (repeatable)", collect)
    .option(
      "--weight <source>",
      "auto, item-count or sample-rate, where the two contradict each other (auto)",
    )
    .option("--seed <n>", "seed of the bootstrap (1)")
    .option("--config <file>", "configuration (the nearest coldstart.config.yaml upwards)");
}

/** Adds the options that say where the result goes. */
export function addOutputOptions(command: Command, formats: readonly string[]): Command {
  return command
    .option("--format <format>", `${formats.join(", ")} (text)`)
    .option("--out <file>", "write the result to a file")
    .option("--quiet", "no progress and no warnings on standard error")
    .option("--verbose", "show examples of malformed rows");
}

/** Adds the options that say where in Azure the data is. */
export function addSourceOptions(command: Command): Command {
  return command
    .option("--workspace <id>", "Log Analytics workspace (its GUID)")
    .option("--app-resource <id>", "Application Insights resource (its resource id)")
    .option("--cluster <url>", "Azure Data Explorer cluster or Fabric eventhouse that holds the tables")
    .option("--database <name>", "its database")
    .option("--schema <names>", "workspace or classic: how tables are named there (workspace)")
    .option(
      "--credential <name>",
      "default, azure-cli, managed-identity, workload-identity or environment (default)",
    )
    .option("--metrics-resource <id>", "container app (its resource id) whose ingress metric is read")
    .option("--metrics-region <region>", "its region, such as westeurope")
    .option("--config <file>", "configuration (the nearest coldstart.config.yaml upwards)");
}
