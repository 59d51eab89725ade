import { randomUUID } from "node:crypto";
import type { Message, OpenedThread, Thread } from "#contract/conversations.ts";
import { type UploadAnswer, uploadHeaders } from "./documents.ts";
import type { Person } from "./factories.ts";
import { pdf } from "./files.ts";
import { until, type Wayfare } from "./wayfare.ts";

type Sender = Pick<Person, "caller">;
type Draft = { applicationId?: string | null; key?: string; text?: string; files?: string[] };

/** Sends a message in one of a student's threads; the answer may be a refusal. */
export const trySend = ({ caller }: Sender, studentId: string, draft: Draft = {}) =>
  caller.call("conversations.send", { studentId, key: randomUUID(), text: "Hello", ...draft });

/** Sends a message and expects it to be accepted. */
export async function send(by: Sender, studentId: string, draft: Draft = {}) {
  const { body, code } = await trySend(by, studentId, draft);
  if (code !== null) throw new Error(`the message was refused: ${code}`);
  return body as { threadId: string; number: number };
}

export async function threadsOf({ caller }: Sender, input: object = {}): Promise<Thread[]> {
  const { body, code } = await caller.call("conversations.list", input);
  if (code !== null) throw new Error(`the list was refused: ${code}`);
  return (body as { threads: Thread[] }).threads;
}

export async function threadOf({ caller }: Sender, threadId: string): Promise<OpenedThread> {
  return (await caller.call("conversations.thread", { threadId })).body as OpenedThread;
}

export async function messagesOf(
  { caller }: Sender,
  threadId: string,
  page: object = {},
): Promise<Message[]> {
  const { body, code } = await caller.call("conversations.messages", { threadId, ...page });
  if (code !== null) throw new Error(`the messages were refused: ${code}`);
  return (body as { messages: Message[] }).messages;
}

export const countsOf = async ({ caller }: Sender) =>
  (await caller.call("conversations.counts")).body as { unread: number; waiting: number };

export const read = ({ caller }: Sender, threadId: string, upTo: number, markedFrom: number | null = null) =>
  caller.call("conversations.read", { threadId, upTo, markedFrom });

/** Uploads a file for a message, as a page does. */
export async function uploadForMessage(
  { caller }: Sender,
  studentId: string,
  name = "offer.pdf",
  bytes = new Uint8Array(pdf()),
): Promise<Pick<UploadAnswer, "status" | "id" | "code" | "message">> {
  const response = await caller.request(`/files/messages/${studentId}`, {
    method: "POST",
    headers: uploadHeaders(name),
    body: bytes,
  });
  const text = await response.text();
  const { id = "", code = "", message = "" } = text.startsWith("{") ? JSON.parse(text) : {};
  return { status: response.status, id, code, message };
}

/** Resolves once this many statements wait for a lock. */
export const statementsWait = ({ services }: Wayfare, count: number) =>
  until(async () => {
    const { rowCount } = await services.database.pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rowCount === count;
  });
