import type { ServerResponse } from "node:http";
import type { Reply } from "./answers.ts";
import type { Fault } from "./faults.ts";

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const PAGE =
  "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Sign in to the proxy</body></html>\n";

/** Sends an answer, or what a fault makes of it, and notes the status in the log. */
export function deliver(
  response: ServerResponse,
  entry: { status: number | null },
  reply: Reply,
  fault: Fault | null,
): void {
  const head = (status: number, headers: Readonly<Record<string, string>>): void => {
    entry.status = status;
    response.writeHead(status, headers);
  };
  const body = (): Buffer => Buffer.from(JSON.stringify(reply.json));
  switch (fault?.kind) {
    case "drop":
      response.socket?.destroy();
      return;
    case "hang":
      return;
    case "no-content":
      head(204, {});
      response.end();
      return;
    case "html":
      head(fault.status ?? 200, { "content-type": "text/html" });
      response.end(PAGE);
      return;
    case "truncate": {
      const bytes = body();
      head(reply.status, { ...JSON_TYPE, "content-length": String(bytes.length) });
      const sent = bytes.subarray(0, Math.floor(bytes.length * fault.share));
      response.write(sent, () => response.socket?.end());
      return;
    }
    case "slow": {
      const bytes = body();
      head(reply.status, { ...JSON_TYPE, "content-length": String(bytes.length) });
      let at = 0;
      const timer = setInterval(() => {
        response.write(bytes.subarray(at, at + fault.bytes));
        at += fault.bytes;
        if (at < bytes.length) return;
        clearInterval(timer);
        response.end();
      }, fault.everyMs);
      response.on("close", () => clearInterval(timer));
      return;
    }
    default:
      head(reply.status, { ...JSON_TYPE, ...reply.headers });
      response.end(body());
  }
}
