import type { Context } from "hono";
import { type ErrorCode, messageOf } from "#domain/error-catalogue.ts";
import type { Log } from "#server/platform/log.ts";
import { Refusal } from "#server/refusal.ts";

/** What comes of an upload; its refusal in the form that /rpc has for it, but for its envelope. */
export async function answerUpload(work: Promise<{ id: string }>, log: Log): Promise<Response> {
  try {
    return Response.json(await work);
  } catch (error) {
    const refusal = error instanceof Refusal ? error : Refusal.ofOutage(error);
    if (refusal === null) throw error;
    if (refusal !== error) log.warn({ err: error }, "an upload met an outage");
    const { code, message, status, data } = refusal;
    const headers = new Headers({ "cache-control": "no-store" });
    if (data.retryAfter !== undefined) headers.set("retry-after", String(data.retryAfter));
    return Response.json({ code, message }, { status, headers });
  }
}

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
