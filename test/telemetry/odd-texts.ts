import fc from "fast-check";

const BLANKS = ["", "", "", "", "", "", " ", "\t", "  ", "\u00a0", "\n"] as const;

/** Texts now and then between blanks, as hand-made exports have them. */
export function blanks(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...BLANKS), text, fc.constantFrom(...BLANKS))
    .map(([before, middle, after]) => before + middle + after);
}

/** One of the usual texts, more often than one of the odd ones. */
export function mostly(usual: readonly string[], odd: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );
}

export const awkward = fc.string({
  unit: fc.constantFrom("a", "B", "7", '"', ",", "\\", "\n", "{", "}", ":", "ü", "😀", " ", "/", "'"),
  maxLength: 8,
});

export const times = mostly(
  [
    "2026-09-10T06:40:02Z",
    "2026-09-10T06:40:02.5Z",
    "2026-09-10T06:40:02.1234567Z",
    "2026-02-28T23:59:59.9999999Z",
    "2024-02-29T00:00:00.000Z",
  ],
  [
    "2026-09-10T06:40:02",
    "2026-09-10 06:40:02.25",
    "2026-09-10T06:40:02+02:00",
    "2026-09-10T06:40:02.5-0530",
    "2026-09-10T06:40:02.12345678Z",
    "2026-09-10T06:40:02.123456789Z",
    "2026-09-10T24:00:00Z",
    "2026-02-30T06:40:02Z",
    "2025-02-29T06:40:02.000Z",
    "2026-13-01T06:40:02Z",
    "2026-09-31T06:40:02Z",
    "2026-09-10t06:40:02.5z",
    "2026-09-10T06:40:60Z",
    "2026-09-10T06:40:02.Z",
    "2026-09-10T06:40Z",
    "2026-09-10",
    "1991-01-01T00:00:00Z",
    "1992-01-01T00:00:00Z",
    "2049-01-01T00:00:00Z",
    "soon",
    "",
  ],
);

export const numbers = mostly(
  ["0", "1", "12", "7000", "12.5", "0.0001", "1234.5678", "99999999.9999999", "2000.0000000001"],
  [
    "007",
    "1e3",
    "1E-3",
    ".5",
    "5.",
    "5.0",
    "-1",
    "-0",
    "+3",
    "NaN",
    "Infinity",
    "1,000",
    "1,5",
    "12ms",
    "",
    "123456789012345",
    "1234567890123456",
    "12345678901234567890",
    "0.12345678901234567",
    "1e400",
    "0x10",
  ],
);

export const counts = mostly(
  ["", "1", "1", "2", "4", "8", "1000"],
  ["0", "-1", "1.5", "4.0", "04", "1e1", "x", "NaN", "999999999", "9999999999", "1,000", "+2"],
);

export const urls = mostly(
  [
    "",
    "https://h.test/",
    "https://h.test/orders/1?q=/health",
    "http://h.test:8080/health",
    "HTTPS://H.test/HealthZ/",
    "https://h.test/health#top",
    "https://h.test/ready?x=1",
  ],
  [
    "https://h.test",
    "https://h.test?x=/health",
    "https://h.test#/health",
    "/health",
    "/orders",
    "https:/h/x",
    "httpx://h.test/health",
    "https://h.test/health//",
    "https://h.test/health/live/x",
    "https://h.test//health",
    "https://h.test/a b",
    'https://h.test/"quoted"',
    "https://h.test/PRÜFUNG",
    "https://h.test/pr\u00fcfung/",
    "amqp://h.test/q",
    "h.test/queue",
    "ftp://h.test/health",
    "https://",
    "http://user@h.test/alive",
  ],
);

export const names = mostly(
  ["GET /", "GET /health", "POST /orders/{id}", "DELETE /livez/", "HEAD /ready?x", "OPTIONS *", ""],
  [
    "GET ",
    "GET",
    "get /health",
    "GET  /health",
    "GET /health extra",
    "GET /a\tb",
    "TRACE /healthz",
    "CONNECT h:1",
    "FETCH /",
    "orders process",
    "à.ProcessMessage",
    "OrdersQueue receive",
    "grpc Orders",
    "a.b.Orders/Get",
    "Timer",
    'GET /"x"',
    "GET /\u00fc",
    "GET /health\u00a0x",
    "PATCH /PRÜFUNG",
  ],
);
