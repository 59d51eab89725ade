import { IncomingMessage } from "node:http";
import type { Context } from "hono";
import { fileProblem, type uploadRefusal } from "#domain/document.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { allowUpload } from "#server/platform/connections.ts";
import { RefusedFile } from "#server/platform/inspect-file.ts";
import type { Log } from "#server/platform/log.ts";
import { type Body, sentBy } from "#server/platform/receive-upload.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";

/**
 * Returns the body of an upload, or null. It may take long from here on, so its sender must be known by then. Reading
 * can stop in the middle without closing the connection, which the answer needs. The body is read from the connection
 * itself, because a web stream would copy every piece again. A test calls the app as a function, without a
 * connection.
 */
export function bodyOf(c: Context): Body | null {
  const incoming: unknown = c.env?.incoming;
  if (incoming instanceof IncomingMessage) {
    allowUpload(incoming);
    const pieces = () => incoming.iterator({ destroyOnReturn: false });
    return () => ({ [Symbol.asyncIterator]: pieces });
  }
  const { body } = c.req.raw;
  return body && (() => body.values({ preventCancel: true }));
}

/** Returns the number of bytes that the browser announces; null if it announces none. */
export function announcedSize(c: Context): number | null {
  const text = c.req.header("content-length");
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Returns the session that uploads, if it is allowed to. Other sites can't send the header. */
export async function uploader(
  c: Context,
  { sessions }: Pick<Services, "sessions">,
  mayUpload: (session: Session) => boolean,
): Promise<Session> {
  const session = await sessions.check(c.req.header("cookie") ?? null);
  if (!session) throw new Refusal("unauthenticated");
  if (!mayUpload(session) || c.req.header("x-csrf-token") !== "orpc") throw new Refusal("permission-denied");
  return session;
}

/** Returns the uploaded file, or refuses it by its name and announced size before a byte of it is read. */
export function fileIn(c: Context, refusal: typeof uploadRefusal) {
  const body = bodyOf(c);
  const file = { name: nameIn(c), size: body ? announcedSize(c) : 0 };
  const problem = fileProblem(file);
  if (problem || !body) throw Refusal.of(refusal[problem ?? "empty"]);
  return { ...file, body };
}

const megabyte = 1024 * 1024;

/** Returns the refusal of a file that can't be used as a whole. */
export const unusable = (message: string) => new Refusal("form/incomplete", { field: "file", message });

/** Reads a whole file into memory, or refuses one that is empty, incomplete or longer than `most` bytes. */
export async function bytesIn(c: Context, most: number): Promise<Buffer> {
  const tooLarge = () => unusable(`The file is larger than ${most / megabyte} MB.`);
  const body = bodyOf(c);
  if (body === null) throw unusable("The file is empty.");
  if ((announcedSize(c) ?? 0) > most) throw tooLarge();
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of sentBy(body)) {
      size += piece.byteLength;
      if (size > most) throw tooLarge();
      pieces.push(piece);
    }
  } catch (error) {
    throw error instanceof RefusedFile ? unusable("This file is incomplete. Please try again.") : error;
  }
  if (size === 0) throw unusable("The file is empty.");
  return Buffer.concat(pieces);
}

/** Returns the file's name, which the page sends percent-encoded. A name that can't be decoded counts as empty. */
function nameIn(c: Context): string {
  try {
    return decodeURIComponent(c.req.header("x-file-name") ?? "");
  } catch {
    return "";
  }
}

/** Answers an upload with its result, or with a refusal in the form of /rpc, but without its envelope. */
export async function answerUpload(work: Promise<object>, log: Log): Promise<Response> {
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
