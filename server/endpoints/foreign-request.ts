import type { Context } from "hono";
import type { Services } from "#server/services.ts";

/**
 * Whether a request to change something comes from another site's page. Browsers name a page's site in Sec-Fetch-Site,
 * older ones in Origin; a program that sends neither has no user's cookies to abuse.
 */
export function isForeign(request: Request, baseUrl: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return true;
  const origin = request.headers.get("origin");
  return origin !== null && origin !== baseUrl && !isOwnHost(origin, request.headers.get("host"));
}

/** Whether a page's origin is the requested host: people may reach one server by several names. */
function isOwnHost(origin: string, host: string | null): boolean {
  return host !== null && URL.canParse(origin) && new URL(origin).host === host;
}

/** Returns the answer to a request of another site's page; null for one of our own. */
export function refuseForeign(
  c: Context,
  { environment, refusals }: Pick<Services, "environment" | "refusals">,
  headers: Record<string, string> = {},
): Response | null {
  if (!isForeign(c.req.raw, environment.baseUrl)) return null;
  refusals.warn("a request from another site was refused");
  return c.text("This request comes from another site.", 403, headers);
}

/** Whether a body has this type. No form can send it, so another site's page can't without permission. */
export function isOfType(
  request: Request,
  expected: "application/json" | "application/octet-stream",
): boolean {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  return type === undefined || type === expected;
}
