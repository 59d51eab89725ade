import { Readable } from "node:stream";
import { makeZip, predictLength } from "client-zip";
import type { Context } from "hono";
import type { LinkMode } from "#contract/documents.ts";
import { type ErrorCode, messageOf } from "#domain/error-catalogue.ts";
import type { Session } from "#server/features/account/sessions.ts";
import type { Services } from "#server/services.ts";

/** A plain page for a tab that was opened on a link. */
export const unreadable = (code: ErrorCode, status: number, message: string = messageOf[code]): Response =>
  new Response(message, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });

type LinkedFile = {
  path: string;
  mode: LinkMode | undefined;
  /** What to do once the link has expired: "open the file". */
  again: string;
  /** The answer to somebody whose link is not ours. */
  refuse(session: Session): Promise<Response>;
};

/** Who asks for a file through a link that was made for this session, or the answer to anybody else. */
export async function linkHolder(
  c: Context,
  { sessions, fileLinks }: Pick<Services, "sessions" | "fileLinks">,
  { path, mode, again, refuse }: LinkedFile,
): Promise<Session | Response> {
  // HEAD would open the file and send nothing of it.
  if (c.req.method !== "GET") return unreadable("not-found", 405);
  const session = await sessions.check(c.req.header("cookie") ?? null);
  if (!session) return unreadable("unauthenticated", 401);
  if (mode === undefined) return unreadable("not-found", 404);
  const grant = { path, mode, sessionId: session.id };
  const link = fileLinks.check(grant, c.req.query("expires") ?? "", c.req.query("signature") ?? "");
  if (link === "wrong") return await refuse(session);
  if (link === "expired")
    return unreadable("not-found", 410, `This link has expired. Please ${again} again.`);
  return session;
}

/**
 * For a file with any name, as RFC 6266 has it: in plain letters for old browsers and in full, percent-encoded, for all
 * others.
 */
function contentDisposition(name: string, inline: boolean): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const full = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${inline ? "inline" : "attachment"}; filename="${plain}"; filename*=UTF-8''${full}`;
}

const emptySandbox = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * The policy under which a browser shows a stranger's file: nothing may run or load. A PDF in view is the
 * exception: Chrome and Safari show none from within a sandbox, and their viewers load their own parts; it is sent as
 * application/pdf with nosniff, so that it can't be taken for a page.
 */
function filePolicy(type: string, inline: boolean): string {
  if (!inline) return emptySandbox;
  return type === "application/pdf" ? "frame-ancestors 'none'" : `${emptySandbox}; style-src 'unsafe-inline'`;
}

/** The headers of a file that is for one person alone. */
export const fileHeaders = (name: string, type: string, inline = false): Record<string, string> => ({
  "content-type": type,
  "content-disposition": contentDisposition(name, inline),
  "content-security-policy": filePolicy(type, inline),
  "x-content-type-options": "nosniff",
  "cache-control": "private, no-store",
});

/** Cuts off a file that is still being sent after so many milliseconds, so that nobody holds it open by reading slowly. */
export function limitSending(body: Readable, milliseconds: number): void {
  const timer = setTimeout(() => body.destroy(new Error("a file took too long to send")), milliseconds);
  timer.unref();
  body.once("close", () => clearTimeout(timer));
}

/** Lets so many go on at a time: of an account, and on this node. */
export class Slots {
  readonly #most: { account: number; node: number };
  readonly #taken: string[] = [];

  constructor(most: { account: number; node: number }) {
    this.#most = most;
  }

  /** The function that gives the slot back; null where none is free. */
  take(userId: string): (() => void) | null {
    const ofAccount = this.#taken.filter((each) => each === userId).length;
    if (this.#taken.length >= this.#most.node || ofAccount >= this.#most.account) return null;
    this.#taken.push(userId);
    return () => void this.#taken.splice(this.#taken.indexOf(userId), 1);
  }
}

/** A file of a zip: short and in memory, or `size` bytes that are opened when it is their turn. */
export type ZipEntry = { name: string; lastModified: Date } & (
  | { text: string }
  | { size: number; open(): Promise<Readable> }
);

/**
 * A zip as it is sent, named for people without its ending, with its length known beforehand. However it ends, the
 * file that is being read is closed; after `longest` milliseconds it is cut off, so that nobody holds it open by reading
 * slowly.
 */
export function zipOf(name: string, entries: readonly ZipEntry[], longest: number) {
  const length = predictLength(
    entries.map((each) =>
      "text" in each ? { name: each.name, input: each.text } : { name: each.name, size: each.size },
    ),
  );
  const headers = {
    ...fileHeaders(`${name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, "_")}.zip`, "application/zip"),
    "content-length": String(length),
  };
  return { headers, body: zipStream(entries, longest) };
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
  const body = Readable.from(makeZip(files), { objectMode: false });
  limitSending(body, longest);
  body.once("close", () => current?.destroy());
  return body;
}
