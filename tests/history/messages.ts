import { randomUUID } from "node:crypto";
import type { Message } from "#contract/conversations.ts";

/** A person who writes messages; their requests can go to any node. */
export type Writer = {
  id: string;
  call(node: number, procedure: string, input: object): Promise<CallResult>;
};
/** With `lost`, the result of the call is unknown, so it is sent again. */
type CallResult = { kind: "done"; body: unknown } | { kind: "refused"; code: string } | { kind: "lost" };
/** A message that was acknowledged. */
export type AcknowledgedMessage = { threadId: string; number: number; text: string };

const numberIn = (body: unknown, key: string): unknown => new Map(Object.entries(Object(body))).get(key);

/**
 * Has every writer send this many messages about a student, one after the other. A call whose result is unknown is sent
 * again with its key, to another node, until it is answered.
 */
export async function sendAll(
  writers: readonly Writer[],
  studentId: string,
  each: number,
  nodes: number,
  onAnswer: () => void = () => {},
): Promise<AcknowledgedMessage[]> {
  const acknowledged: AcknowledgedMessage[] = [];
  const write = async (writer: Writer, at: number) => {
    for (let count = 0; count < each; count++) {
      const [key, text] = [randomUUID(), `${at} says ${count}`];
      for (let tries = at + count; ; tries++) {
        const input = { studentId, applicationId: null, key, text, files: [] };
        const result = await writer.call(tries % nodes, "conversations.send", input);
        if (result.kind === "refused") throw new Error(`a message was refused: ${result.code}`);
        if (result.kind === "lost") continue;
        const [threadId, number] = [numberIn(result.body, "threadId"), numberIn(result.body, "number")];
        acknowledged.push({ threadId: String(threadId), number: Number(number), text });
        onAnswer();
        break;
      }
    }
  };
  await Promise.all(writers.map(write));
  return acknowledged;
}

/** Reads a whole thread page by page from the beginning, as one reader over one node. */
export async function readAll(reader: Writer, node: number, threadId: string): Promise<Message[]> {
  const messages: Message[] = [];
  for (;;) {
    const after = messages.at(-1)?.number ?? 0;
    const result = await reader.call(node, "conversations.messages", { threadId, after });
    if (result.kind !== "done") throw new Error(`the messages can't be read: ${result.kind}`);
    const page = result.body as { messages: Message[]; more: boolean };
    messages.push(...page.messages);
    if (!page.more) return messages;
  }
}

/** Returns the violations of: one order for everybody, nothing acknowledged is lost, nothing is stored twice. */
export function brokenPromises(
  acknowledged: readonly AcknowledgedMessage[],
  histories: readonly (readonly Message[])[],
): string[] {
  const [first = [], ...others] = histories.map((history) =>
    history.map(({ number, text }) => `${number} ${text}`),
  );
  const broken = others.flatMap((other, at) =>
    other.join("\n") === first.join("\n") ? [] : [`reader ${at + 1} sees another order`],
  );
  const numbers = histories[0]?.map(({ number }) => number) ?? [];
  if (numbers.some((number, at) => number !== at + 1)) broken.push("the numbers have gaps");
  const lines = new Set(first);
  for (const { number, text } of acknowledged)
    if (!lines.has(`${number} ${text}`)) broken.push(`lost or moved: ${number} ${text}`);
  const texts = histories[0]?.map(({ text }) => text) ?? [];
  if (new Set(texts).size !== texts.length) broken.push("a message is there twice");
  if (texts.length !== acknowledged.length)
    broken.push(`${texts.length} messages in place of ${acknowledged.length}`);
  return broken;
}
