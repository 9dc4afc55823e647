import { type Reason, type ReasonInput, teller } from "./reconcile-reason.ts";
import { classReasons, repeatReasons, revisionReasons, roleReasons } from "./reconcile-reasons-rows.ts";
import { samplingReasons } from "./reconcile-reasons-sampling.ts";
import { timeReasons } from "./reconcile-reasons-time.ts";

/** Tests every usual reason, each alone; those that explain the difference come first. */
export function reasonsFor(input: ReasonInput): Reason[] {
  const reasons = [
    ...samplingReasons(input),
    ...classReasons(input),
    ...repeatReasons(input),
    ...roleReasons(input),
    ...revisionReasons(input),
    ...timeReasons(input),
    ...metricReasons(input),
  ];
  return [...reasons.filter(({ explains }) => explains), ...reasons.filter(({ explains }) => !explains)];
}

function metricReasons(input: ReasonInput): Reason[] {
  const tell = teller(input);
  const { total, files, ingress } = input;
  return [
    tell(
      "metric-twice",
      "each metrics file holds the same requests",
      files < 2
        ? "one metrics file"
        : ingress.copies > 1
          ? `the ${files} metrics files hold the same requests and were counted once`
          : `${files} metrics files were added up; if they hold the same requests, give only one`,
      files < 2 || ingress.copies > 1 ? null : { weighted: total.weighted, ingress: total.ingress / files },
    ),
  ];
}
