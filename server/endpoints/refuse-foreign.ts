import type { Context } from "hono";
import { isForeign } from "#server/platform/foreign-request.ts";
import type { Services } from "#server/services.ts";

/** The answer to a request that another site's page makes; null to one of our own. */
export function refuseForeign(
  c: Context,
  { environment, refusals }: Pick<Services, "environment" | "refusals">,
  headers: Record<string, string> = {},
): Response | null {
  if (!isForeign(c.req.raw, environment.baseUrl)) return null;
  refusals.warn("a request from another site was refused");
  return c.text("This request comes from another site.", 403, headers);
}
