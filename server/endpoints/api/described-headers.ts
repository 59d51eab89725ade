const header = (text: string, type: "string" | "integer") => ({ description: text, schema: { type } });
/** All headers that an answer can have, as components of the document. */
export const headers = {
  "RateLimit-Limit": header("Calls in a minute, of the one who asks.", "integer"),
  "RateLimit-Remaining": header("How many are left.", "integer"),
  "RateLimit-Reset": header("Seconds until there are all of them again.", "integer"),
  "X-Request-Id": header("Names the request; quote it if you contact us.", "string"),
  "WWW-Authenticate": header("How to say who asks.", "string"),
  "Retry-After": header("Seconds until it is worth trying again.", "integer"),
  Link: header('The next page, as rel="next"; missing on the last one.', "string"),
  "Idempotency-Replayed": header("`true` if the first answer to this Idempotency-Key is repeated.", "string"),
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
