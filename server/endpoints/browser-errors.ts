import type { Context } from "hono";
import { z } from "zod";
import { messageOf } from "#domain/error-catalogue.ts";
import { mostReported } from "#protocol/browser-errors.ts";
import { requestAddress } from "#server/platform/client-address.ts";
import type { Services } from "#server/services.ts";
import { isOfType, refuseForeign } from "./foreign-request.ts";

/** Names that may be logged. A report's own text never is. */
type PageBuild = {
  /** The scripts of this build. */
  scripts: ReadonlySet<string>;
  build: string;
  /** Returns the pattern of a page's path. */
  routeOf: (path: string) => string;
};

/** Most characters of a report; the longest report is shorter. */
const largest = 4096;
const short = z.string().max(200);
const report = z.object({
  name: short,
  code: z.unknown().optional(),
  places: z.array(short).max(mostReported.places),
  script: short,
});

const names = new Set([
  "AbortError",
  "AggregateError",
  "CataloguedError",
  "ChunkLoadError",
  "DataCloneError",
  "Error",
  "InvalidStateError",
  "NetworkError",
  "NotAllowedError",
  "NotFoundError",
  "ORPCError",
  "QuotaExceededError",
  "RangeError",
  "ReferenceError",
  "SecurityError",
  "SyntaxError",
  "TimeoutError",
  "TypeError",
  "URIError",
]);

const isCode = (code: unknown): code is string => typeof code === "string" && Object.hasOwn(messageOf, code);

/** Returns a place in a script of ours as it was sent, or "elsewhere". */
function placeOf(text: string, { scripts }: PageBuild): string {
  const [, script = ""] = /^([\w.-]+):\d{1,7}:\d{1,7}$/.exec(text) ?? [];
  return scripts.has(script) ? text : "elsewhere";
}

/**
 * POST /browser-errors: logs an error in a browser as one line. Whatever is sent, the line holds only known names and
 * codes, our scripts and numbers, so no personal data. Browsers send the page's path with every request (Referer); only
 * its pattern is kept.
 */
export function browserErrorEndpoint(services: Services, pageBuild: PageBuild) {
  const { environment, limits, log, sessions, browserErrors } = services;
  return async (c: Context): Promise<Response> => {
    const refusal = refuseForeign(c, services);
    if (refusal) return refusal;
    if (!isOfType(c.req.raw, "application/json")) return c.body(null, 415);
    if (Number(c.req.header("content-length") ?? largest + 1) > largest) return c.body(null, 413);
    const session = await sessions.check(c.req.header("cookie") ?? null);
    const address = requestAddress(c, environment.trustProxy);
    const allowance = await limits.browserError(address, session?.userId ?? null);
    if (allowance.kind === "locked")
      return c.body(null, 429, { "retry-after": String(allowance.retryAfter) });
    const read = report.safeParse(await c.req.json().catch(() => null));
    if (!read.success) return c.body(null, 400);
    const { name, code, places, script } = read.data;
    const isThisBuild = pageBuild.scripts.has(script);
    const shownName = names.has(name) ? name : "other";
    browserErrors.inc({ name: shownName });
    log.warn(
      {
        name: shownName,
        ...(isCode(code) && { code }),
        page: pageBuild.routeOf(pathOf(c.req.header("referer"))),
        places: places.map((place) => placeOf(place, pageBuild)),
        build: isThisBuild ? pageBuild.build : "another",
      },
      "a browser's error",
    );
    return c.body(null, 204);
  };
}

const pathOf = (referrer = ""): string => (URL.canParse(referrer) ? new URL(referrer).pathname : "");
