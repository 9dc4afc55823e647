import type { TokenCredential } from "@azure/identity";

/** Everything of the outside that a command may touch; tests give their own. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly cwd: string;
  /** Folder of the data that is published with the program. */
  readonly bundled: string;
  /** The present moment. */
  now(): Date;
  /**
   * Asks the user for a line on the terminal; null where the input ends. Absent where nobody can answer.
   */
  readonly prompt?: (question: string) => Promise<string | null>;
  /** Signs in to Azure in place of what the configuration names. */
  readonly credential?: TokenCredential;
}

export interface Output {
  /** Resolves when the text is handed over, so that a slow reader is waited for. */
  write(text: string): Promise<void>;
  readonly isTerminal: boolean;
  readonly columns: number;
}
