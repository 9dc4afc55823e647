/** One logical request row, independent of the form it is stored in. */
export interface FormRow {
  /** Start of the request: 100 ns ticks since 1970-01-01T00:00:00Z. */
  startTicks: bigint;
  /** Duration in 100 ns ticks: an integer, at least 0. */
  durationTicks: number;
  id?: string;
  operationId?: string;
  parentId?: string;
  name: string;
  url?: string;
  resultCode: string;
  success: boolean;
  itemCount: number;
  /** Percent kept; written into the custom dimensions as `microsoft.sample_rate`, as text. */
  sampleRate?: number;
  dimensions?: Record<string, string>;
  measurements?: Record<string, number>;
  role: string;
  instance?: string;
  source?: string;
  syntheticSource?: string;
  sdkVersion?: string;
  /** `application_Version`. */
  version?: string;
}

/** One logical platform event of Container Apps. Names that do not apply are empty. */
export interface FormEvent {
  /** The event's own clock: 100 ns ticks since 1970-01-01T00:00:00Z. */
  timeTicks: bigint;
  reason: string;
  type: "Normal" | "Warning";
  text: string;
  app: string;
  revision: string;
  replica: string;
  source: string;
  count?: number;
}

/** A form in which request rows lie on disk. */
export interface RequestForm {
  readonly name: string;
  readonly fileName: string;
  /** The form stores instants to the millisecond: give it rows that begin on one. */
  readonly millisecondsOnly?: boolean;
  /** The form has no item count, only the envelope's sample rate: 100 / itemCount. */
  readonly itemCountFromEnvelope?: boolean;
  /** Fields that the form has no place for at all. */
  readonly lacks?: readonly (keyof FormRow)[];
  /** Of `syntheticSource` the form keeps only whether there is one. */
  readonly syntheticFlagOnly?: boolean;
  /** The file's bytes, rows in the given order. */
  write(rows: readonly FormRow[]): Uint8Array;
}

/** A form in which system events lie on disk. */
export interface EventForm {
  readonly name: string;
  readonly fileName: string;
  /** The form stores the event's clock to the millisecond. */
  readonly millisecondsOnly?: boolean;
  /** The file's bytes, events in the given order. */
  write(events: readonly FormEvent[]): Uint8Array;
}
