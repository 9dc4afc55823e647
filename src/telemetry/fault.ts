/** Where in the input something stands. */
export interface Place {
  readonly path?: string;
  /** 1-based number of the row or record, the header not counted. */
  readonly row?: number;
  readonly column?: string;
}

/**
 * The data is not fit for an answer: unreadable, truncated, ambiguous or of another kind.
 * One line: what was found, where, and what to do about it.
 */
export class DataFault extends Error {
  readonly what: string;
  readonly place: Place;
  readonly remedy: string;

  constructor(what: string, remedy: string, place: Place = {}) {
    super(`${formatPlace(place)}${what}; ${remedy}`);
    this.name = "DataFault";
    this.what = what;
    this.place = place;
    this.remedy = remedy;
  }

  /** The same fault with the parts of the place that were not known where it was found. */
  at(place: Place): DataFault {
    const Fault = this instanceof OtherContent ? OtherContent : DataFault;
    return new Fault(this.what, this.remedy, { ...place, ...this.place });
  }
}

/** The file is sound, but holds something else than rows or events: in a folder it is only left out. */
export class OtherContent extends DataFault {}

function formatPlace(place: Place): string {
  const parts: string[] = [];
  if (place.path !== undefined) parts.push(place.path === "-" ? "standard input" : place.path);
  if (place.row !== undefined) parts.push(`row ${place.row}`);
  if (place.column !== undefined) parts.push(`column ${place.column}`);
  return parts.length === 0 ? "" : `${parts.join(", ")}: `;
}
