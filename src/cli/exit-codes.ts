/** Exit codes that pipelines script against. */
export const ExitCode = {
  /** Done; the bar is met; the audit is clean. */
  done: 0,
  /** The bar is not met; the audit found something. */
  found: 1,
  /** Wrong usage or configuration, told before any data is read. */
  usage: 2,
  /** Too few instances, cohorts that cannot be compared, a bar registered after the fact. */
  inconclusive: 3,
  /** The data cannot be trusted: unreadable, truncated, partial. */
  data: 4,
  /** The source failed: sign-in, permission, network, throttling. */
  source: 5,
  /** A fault of the program itself. */
  fault: 70,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** What the user asked for makes no sense: one line that says what and what to do instead. */
export class UsageError extends Error {}
