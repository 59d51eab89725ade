import type { Context } from "hono";
import { findCalendar } from "#server/features/planner/calendar.ts";
import type { Services } from "#server/services.ts";
import { contentDisposition } from "./downloads.ts";

/** 256 bits in base64url. */
const tokenForm = /^[\w-]{43}$/;
const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };

/**
 * GET /calendar/{token}.ics: a user's deadlines, for their calendar program. Anyone with the URL can read it. Invalid
 * and expired URLs get the same answer.
 */
export async function calendarEndpoint(c: Context, services: Services, address: string): Promise<Response> {
  const allowance = await services.limits.calendar(address);
  if (allowance.kind === "locked")
    return new Response("Please try again later.", {
      status: 429,
      headers: { ...headers, "retry-after": String(allowance.retryAfter) },
    });
  const token = (c.req.param("file") ?? "").replace(/\.ics$/, "");
  const text = tokenForm.test(token) ? await findCalendar(services.database.db, token) : null;
  if (text === null) return new Response("There is no such calendar.", { status: 404, headers });
  return new Response(text, {
    headers: {
      "content-type": "text/calendar; charset=utf-8",
      "content-disposition": contentDisposition("wayfare.ics", true),
      "cache-control": "private, no-cache",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
    },
  });
}
