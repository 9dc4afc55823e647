const DURATION =
  /^P(?=\d|T\d)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$/;
const INSTANT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

const isInstant = (text: string): boolean => INSTANT.test(text) && !Number.isNaN(Date.parse(text));

/** Whether a value is a timespan of ISO 8601: a duration, or an interval with at least one instant. */
export function isTimespan(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const [begin = "", end, ...more] = value.split("/");
  if (end === undefined) return DURATION.test(begin);
  if (more.length > 0) return false;
  if (isInstant(begin) && isInstant(end)) return Date.parse(begin) <= Date.parse(end);
  return (isInstant(begin) && DURATION.test(end)) || (DURATION.test(begin) && isInstant(end));
}
