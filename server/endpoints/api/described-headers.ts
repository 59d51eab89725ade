const header = (text: string, type: "string" | "integer") => ({ description: text, schema: { type } });
/** All headers that an answer can have, as components of the document. */
export const headers = {
  "RateLimit-Limit": header(
    "Maximum number of calls per minute under the limit that you will reach first.",
    "integer",
  ),
  "RateLimit-Remaining": header(
    "Number of calls that are left under the limit in `RateLimit-Limit`.",
    "integer",
  ),
  "RateLimit-Reset": header(
    "Number of seconds until the limit in `RateLimit-Limit` is fully available again.",
    "integer",
  ),
  "X-Request-Id": header("Id of the request. Quote it if you contact us.", "string"),
  "WWW-Authenticate": header("Authentication scheme that the call requires.", "string"),
  "Retry-After": header("Number of seconds to wait before you try again.", "integer"),
  Link: header('URL of the next page, as rel="next"; absent on the last page.', "string"),
  "Idempotency-Replayed": header(
    "`true` if this is a repetition of the first response to this `Idempotency-Key`.",
    "string",
  ),
};
export type HeaderName = keyof typeof headers;

/** Headers of every answer. */
export const always: readonly HeaderName[] = [
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "X-Request-Id",
];
export const headersNamed = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
