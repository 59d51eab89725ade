import { Readable } from "node:stream";
import { makeZip, predictLength } from "client-zip";
import type { Context } from "hono";
import type { LinkMode } from "#contract/documents.ts";
import { type ErrorCode, messageOf } from "#domain/error-catalogue.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { csvFile } from "#server/platform/csv.ts";
import { Limiter } from "#server/platform/limiter.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { refuseForeign } from "./foreign-request.ts";

/** Returns a plain page for a tab that was opened by a link. */
export const unreadable = (code: ErrorCode, status: number, message: string = messageOf[code]): Response =>
  new Response(message, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });

/** Returns the session that requests a file, or the answer to any other request. */
async function sessionOf(c: Context, { sessions }: Pick<Services, "sessions">): Promise<Session | Response> {
  // HEAD would open the file and send nothing of it.
  if (c.req.method !== "GET") return unreadable("not-found", 405);
  return (await sessions.check(c.req.header("cookie") ?? null)) ?? unreadable("unauthenticated", 401);
}

/** Answers a request of our own page for a file without a link: by `open`, or with the text of its refusal. */
export async function withSession(
  c: Context,
  services: Pick<Services, "sessions" | "environment" | "refusals">,
  open: (session: Session) => Promise<Response>,
): Promise<Response> {
  const session = refuseForeign(c, services) ?? (await sessionOf(c, services));
  return session instanceof Response ? session : await open(session).catch(refusalPage);
}

type LinkedFile = {
  path: string;
  mode: LinkMode | undefined;
  /** The action to repeat once the link has expired, such as "open the file". */
  again: string;
  /** Answers a session whose link is not ours. */
  refuse(session: Session): Promise<Response>;
};

/** Returns the session that requests a file by a link made for it, or the answer to any other request. */
export async function linkHolder(
  c: Context,
  { sessions, fileLinks }: Pick<Services, "sessions" | "fileLinks">,
  { path, mode, again, refuse }: LinkedFile,
): Promise<Session | Response> {
  const session = await sessionOf(c, { sessions });
  if (session instanceof Response) return session;
  if (mode === undefined) return unreadable("not-found", 404);
  const grant = { path, mode, sessionId: session.id };
  const link = fileLinks.check(grant, c.req.query("expires") ?? "", c.req.query("signature") ?? "");
  if (link === "wrong") return await refuse(session);
  if (link === "expired")
    return unreadable("not-found", 410, `This link has expired. Please ${again} again.`);
  return session;
}

/** Returns a function that records the refusal of a file, and answers as if the file did not exist. */
export const fileRefuser =
  ({ refusals }: Pick<Services, "refusals">, about: { address: string; procedure: string }, id: string) =>
  async ({ userId }: Session): Promise<Response> => {
    const things = [id].filter((each) => /^[\w-]{8,64}$/.test(each));
    await refusals.record({ action: "access-refused", actorId: userId, ...about, subjectId: null, things });
    return unreadable("not-found", 404);
  };

/**
 * Returns the header for a file with any name (RFC 6266): in ASCII for old browsers, and in full, percent-encoded, for
 * all others.
 */
export function contentDisposition(name: string, inline: boolean): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const full = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${inline ? "inline" : "attachment"}; filename="${plain}"; filename*=UTF-8''${full}`;
}

const emptySandbox = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * Returns the policy under which a browser shows a stranger's file: nothing may run or load. A PDF in view is the
 * exception: Chrome and Safari show none within a sandbox, and their viewers load their own parts. It is sent as
 * application/pdf with nosniff, so that it can't be taken for a page.
 */
function filePolicy(type: string, inline: boolean): string {
  if (!inline) return emptySandbox;
  return type === "application/pdf" ? "frame-ancestors 'none'" : `${emptySandbox}; style-src 'unsafe-inline'`;
}

/** Returns the headers of a file that is for one person alone. */
export const fileHeaders = (name: string, type: string, inline = false): Record<string, string> => ({
  "content-type": type,
  "content-disposition": contentDisposition(name, inline),
  "content-security-policy": filePolicy(type, inline),
  "x-content-type-options": "nosniff",
  "cache-control": "private, no-store",
});

/** Milliseconds without a byte after which a reader counts as stalled. */
const longestStall = 60_000;

/**
 * Returns a stream of the file. It is cut off after `milliseconds`, or when its reader stalls, so that no client holds
 * it open by reading slowly.
 */
export function sending(
  bytes: AsyncIterable<Uint8Array>,
  milliseconds: number,
  stall = longestStall,
): Readable {
  async function* withStallTimer() {
    for await (const piece of bytes) {
      stalled.refresh();
      yield piece;
    }
  }
  const body = Readable.from(withStallTimer(), { objectMode: false });
  const cutOff = (why: string) => () => void body.destroy(new Error(why));
  const timeout = setTimeout(cutOff("a file took too long to send"), milliseconds).unref();
  const stalled = setTimeout(cutOff("a file was read by nobody"), stall).unref();
  body.once("close", () => {
    clearTimeout(timeout);
    clearTimeout(stalled);
  });
  return body;
}

/** An answer, with its body to observe the end of sending. */
export type StreamedAnswer = { response: Response; body: Readable };

export const answerWith = (body: Readable, headers: Record<string, string>): StreamedAnswer => ({
  response: new Response(Readable.toWeb(body), { headers }),
  body,
});

/** Answers with a CSV file for one person alone, which is cut off after `longest` milliseconds. */
export const answerCsv = (name: string, csv: AsyncIterable<string>, longest: number): StreamedAnswer =>
  answerWith(sending(csvFile(csv), longest), fileHeaders(`${name}.csv`, "text/csv; charset=utf-8"));

/**
 * Allows one download per account, from its request until it is sent, and lets a node gather eight concurrently, with
 * the addresses taking turns. Sending a download delays no other.
 */
export class Downloads {
  readonly #accounts = new Limiter({
    running: Number.POSITIVE_INFINITY,
    waiting: 0,
    ofKey: { running: 1, waiting: 0 },
  });
  readonly #addresses = new Limiter({ running: 8, waiting: 100, ofKey: { running: 2, waiting: 20 } });

  /**
   * Gathers a download and answers with it. `gather` resolves as soon as it can be sent, to the answer and its body.
   * Rejects with a refusal if there is no room.
   */
  async answer(
    { userId, address }: Actor,
    gather: () => Promise<StreamedAnswer | { response: Response; body: null }>,
    signal: AbortSignal,
  ): Promise<Response> {
    const leave = await this.#accounts.take(userId);
    try {
      const { response, body } = await this.#addresses.run(address, gather, signal);
      // A short body may be read by now.
      if (body === null || body.closed) leave();
      else body.once("close", leave);
      return response;
    } catch (error) {
      leave();
      // The client has gone.
      if (signal.aborted) return unreadable("cancelled", 499);
      throw error;
    }
  }
}

/** Returns a refusal as text, for a tab that was opened by a link. */
export function refusalPage(error: unknown): Response {
  if (error instanceof Refusal) return unreadable(error.code, error.status, error.message);
  throw error;
}

/** A file of a zip: short and in memory, or `size` bytes that are opened when needed. */
export type ZipEntry = { name: string; lastModified: Date } & (
  | { text: string }
  | { size: number; open(): Promise<Readable> }
);

/**
 * Answers with a zip of known length. `name`: for people, without the extension. The file that is being read is closed
 * in any case. After `longest` milliseconds the zip is cut off, so that no client holds it open by reading slowly.
 */
export function answerZip(name: string, entries: readonly ZipEntry[], longest: number): StreamedAnswer {
  const length = predictLength(
    entries.map((each) =>
      "text" in each ? { name: each.name, input: each.text } : { name: each.name, size: each.size },
    ),
  );
  const headers = {
    ...fileHeaders(`${name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, "_")}.zip`, "application/zip"),
    "content-length": String(length),
  };
  return answerWith(zipStream(entries, longest), headers);
}

function zipStream(entries: readonly ZipEntry[], longest: number): Readable {
  let current: Readable | undefined;
  async function* bytesOf(open: () => Promise<Readable>): AsyncGenerator<Uint8Array> {
    current = await open();
    yield* current;
  }
  const files = entries.map((each) => ({
    name: each.name,
    lastModified: each.lastModified,
    input: "text" in each ? each.text : bytesOf(each.open),
  }));
  const body = sending(makeZip(files), longest);
  body.once("close", () => current?.destroy());
  return body;
}
