/** A half-open window of ticks; an open side is infinite. */
export interface Window {
  readonly name: "all" | "before" | "after";
  readonly from: number;
  readonly to: number;
}

/** What decides which rows and instances count. */
export interface FleetSettings {
  /** One window, or the two of a comparison. */
  readonly windows: readonly Window[];
  readonly role: string | null;
  readonly revision: string | null;
  /** The app's container; null for all but the platform's and Dapr's. */
  readonly container: string | null;
  readonly guardTicks: number;
  readonly timezone: string;
  readonly days: "all" | "weekdays";
  /** Local dates (YYYY-MM-DD) that count as weekend. */
  readonly holidays: ReadonlySet<string>;
}

export function contains(window: Window, ticks: number): boolean {
  return ticks >= window.from && ticks < window.to;
}
