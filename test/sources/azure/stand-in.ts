import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TokenCredential } from "@azure/identity";

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly prefer: string | undefined;
  readonly body: string;
}

/** How the stand-in answers one request. */
export type Play = (response: ServerResponse, request: IncomingMessage) => void;

export interface StandIn {
  readonly url: string;
  readonly asked: Asked[];
  /** What comes next; the last one stays. */
  plays: Play[];
  close(): Promise<void>;
}

/** A server on this machine that answers as it is told to and remembers what it was asked. */
export async function standIn(...plays: Play[]): Promise<StandIn> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const { authorization } = headers;
      const prefer = headers.prefer as string | undefined;
      const body = Buffer.concat(chunks).toString();
      self.asked.push({ method, url, authorization, prefer, body });
      const play = self.plays.length > 1 ? self.plays.shift()! : self.plays[0]!;
      play(response, request);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const self: StandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    plays,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return self;
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Play {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(value));
  };
}

export function text(status: number, body: string, type: string): Play {
  return (response) => {
    response.writeHead(status, { "content-type": type });
    response.end(body);
  };
}

/** Announces more than it sends, then drops the connection. */
export function cutOff(body: string): Play {
  return (response, request) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100000" });
    response.write(body);
    setTimeout(() => request.socket.destroy(), 20);
  };
}

export const dropped: Play = (_response, request) => void request.socket.destroy();

/** Never answers. */
export const silent: Play = () => {};

/** The address of a port on which nobody listens. */
export async function nobody(): Promise<string> {
  const server = await standIn(silent);
  await server.close();
  return server.url;
}

/** A credential whose token is recognisable, and the scopes that it was asked for. */
export function testCredential(): { readonly credential: TokenCredential; readonly scopes: string[] } {
  const scopes: string[] = [];
  const credential: TokenCredential = {
    getToken: (scope) => {
      scopes.push(...[scope].flat());
      return Promise.resolve({ token: "the-token", expiresOnTimestamp: Date.now() + 3_600_000 });
    },
  };
  return { credential, scopes };
}

/** What a promise fails with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it did not fail");
}
