import type { Context } from "hono";
import type { Services } from "#server/services.ts";

/**
 * Whether a request to change something comes from another site's page. A browser says where a page is from by
 * Sec-Fetch-Site, an older one by Origin; a program that sends neither has no user's cookies to abuse.
 */
export function isForeign(request: Request, baseUrl: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return true;
  const origin = request.headers.get("origin");
  return origin !== null && origin !== baseUrl && !isOwnHost(origin, request.headers.get("host"));
}

/** People may reach one server by several names; a page's own origin names the host it was asked of. */
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

/** Whether a body may be of this type: one that no form can have, so that another site's page can't send it unasked. */
export function isOfType(
  request: Request,
  expected: "application/json" | "application/octet-stream",
): boolean {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  return type === undefined || type === expected;
}
