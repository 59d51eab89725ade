import type { Context } from "hono";
import { httpStatus } from "#contract/errors.ts";
import { type ErrorCode, messageOf } from "#domain/error-catalogue.ts";

/** An error about a file, in the form that /rpc has for it, but for its envelope. */
export const refused = (
  code: ErrorCode,
  message: string = messageOf[code],
  headers: Record<string, string> = {},
): Response =>
  Response.json(
    { code, message },
    { status: httpStatus(code), headers: { "cache-control": "no-store", ...headers } },
  );

/** A plain page for a tab that was opened on a link. */
export const unreadable = (code: ErrorCode, status: number, message: string = messageOf[code]): Response =>
  new Response(message, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });

/** How many bytes the browser says it sends; null where it does not. */
export function announcedSize(c: Context): number | null {
  const text = c.req.header("content-length");
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
