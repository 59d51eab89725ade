import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { serve } from "@hono/node-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { documentLimits, uploadRefusal } from "#domain/document.ts";
import { documentsOf, filesOf, uploadHeaders } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let server: ReturnType<typeof serve>;
let port: number;
beforeAll(async () => {
  w = await wayfare();
  server = serve({ fetch: w.app.fetch, port: 0, hostname: "127.0.0.1" });
  await once(server, "listening");
  const address = server.address();
  port = typeof address === "object" && address ? address.port : 0;
});
afterAll(async () => {
  server.close();
  await w.stop();
});

/** Sends the head of an upload over a raw connection. */
async function begin(student: Person, framing: Record<string, string>): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const headers = {
    host: "localhost",
    cookie: student.caller.cookie,
    ...uploadHeaders("cv.pdf"),
    ...framing,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write(`POST /files/documents/cv HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  return socket;
}

async function answerOn(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) {
    text += String(chunk);
    if (text.includes("}")) break;
  }
  return text;
}
const chunked = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);

test.each([
  ["with its length", { "content-length": "1000000" }, (bytes: Buffer) => bytes],
  ["in chunks", { "transfer-encoding": "chunked" }, chunked],
])("an upload %s whose connection breaks leaves nothing", async (_how, framing, write) => {
  const student = await person(w, "student", "active");
  const socket = await begin(student, framing);
  socket.write(write(pdf(1_000_000).subarray(0, 300_000)));
  // By now there is something to clean up.
  await until(async () => (await filesOf(w, student.id)).length === 1);
  socket.destroy();
  await until(async () => (await filesOf(w, student.id)).length === 0);
  expect(await documentsOf(w, student.id)).toEqual([]);
  expect(w.log.filter(({ level }) => level >= 50)).toEqual([]);
});

test("an upload in chunks, without a length, is accepted", async () => {
  const student = await person(w, "student", "active");
  const socket = await begin(student, { "transfer-encoding": "chunked" });
  socket.write(chunked(pdf(500_000)));
  socket.write("0\r\n\r\n");
  expect(await answerOn(socket)).toMatch(/^HTTP\/1.1 200 [\s\S]*"id"/);
  socket.destroy();
  expect(await documentsOf(w, student.id)).toMatchObject([{ size: 500_000 }]);
});

test("an upload in chunks that exceeds the limit is refused with a message, and leaves nothing", async () => {
  const student = await person(w, "student", "active");
  const socket = await begin(student, { "transfer-encoding": "chunked" });
  socket.on("error", () => {});
  socket.write(chunked(pdf(documentLimits.bytes + 100_000)));
  const answer = await answerOn(socket);
  expect(answer).toContain(uploadRefusal.tooLarge.message);
  socket.destroy();
  expect(await filesOf(w, student.id)).toEqual([]);
});

test("an upload that is refused at its first byte is answered after its last, as browsers expect", async () => {
  const student = await person(w, "student", "active");
  const bytes = Buffer.alloc(8_000_000, "not a document ");
  const socket = await begin(student, { "content-length": String(bytes.length) });
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  socket.write(bytes.subarray(0, 1_000_000));
  // These requests take long enough for an answer to arrive, if one had been sent.
  for (let times = 0; times < 20; times++) await fetch(`http://127.0.0.1:${port}/readyz`);
  expect(received).toBe("");
  socket.write(bytes.subarray(1_000_000));
  await until(() => received.includes(uploadRefusal.unknownType.message));
  socket.destroy();
  expect(await filesOf(w, student.id)).toEqual([]);
});
