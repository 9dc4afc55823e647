/** What a query gave. */
export interface QueryAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Why the service cut the answer off; null where it is whole. */
  readonly partial: string | null;
}

/** A service that runs KQL over the telemetry. */
export interface QueryService {
  /** Which names its tables and columns have: those of Application Insights, or those of a workspace. */
  readonly schema: "classic" | "workspace";
  /**
   * @param window ticks; what the service may look at, besides what the query says; null leaves it open
   * @throws SourceFault
   */
  query(
    text: string,
    window: { readonly from: number; readonly to: number } | null,
    signal: AbortSignal,
  ): Promise<QueryAnswer>;
}
