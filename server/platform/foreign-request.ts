/**
 * Whether a request to change something comes from another site's page, or in a form that another site's page can
 * send without asking first. A browser tells where a page is from by Sec-Fetch-Site, an older one by Origin; a
 * program that sends neither has no user's cookies to abuse, but still needs the type, which no form can have.
 */
export function isForeign(
  request: Request,
  baseUrl: string,
  expected: "application/json" | "application/octet-stream" = "application/json",
): boolean {
  if (request.method !== "POST") return true;
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== undefined && type !== expected) return true;
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return true;
  const origin = request.headers.get("origin");
  return origin !== null && origin !== baseUrl && !isOwnHost(origin, request.headers.get("host"));
}

/** People may reach one server by several names; a page's own origin names the host it was asked of. */
function isOwnHost(origin: string, host: string | null): boolean {
  return host !== null && URL.canParse(origin) && new URL(origin).host === host;
}
