/** A remark about an input: stable code, one sentence, how many rows it concerns. */
export interface InputNote {
  readonly code: string;
  readonly message: string;
  readonly count: number;
}

/** What is known of an input after reading. */
export interface InputSummary {
  readonly path: string;
  readonly form: string;
  readonly rows: number;
  readonly otherRows: number;
  readonly partial: boolean;
  readonly warnings: InputNote[];
}
