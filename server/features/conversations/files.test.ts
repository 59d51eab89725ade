import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { submit } from "#tests/support/applications.ts";
import { textIn } from "#tests/support/caller.ts";
import { messagesOf, send, trySend, uploadForMessage } from "#tests/support/conversations.ts";
import { assign, assignedStudent, documentsOf, filesOf } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { user } from "../account/tables.ts";
import { audit } from "../audit/tables.ts";
import { removeUnsentFiles } from "./commands/files.ts";
import { messageFile } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const linkOf = async ({ caller }: Person, fileId: string) =>
  textIn((await caller.call("conversations.fileLink", { fileId, mode: "view" })).body, "url");
const statusOf = async ({ caller }: Person, url: string) => (await caller.request(url, {})).status;

test("participants can view a file, each view is audited, and a former agent's link stops working", async () => {
  const { student, agent } = await assignedStudent(w);
  const { id } = await uploadForMessage(student, student.id, "Visa letter.pdf");
  expect(await linkOf(agent, id)).toBe("");
  const { threadId } = await send(student, student.id, { text: "", files: [id] });
  expect((await messagesOf(agent, threadId))[0]?.files).toMatchObject([
    { id, name: "Visa letter.pdf", type: "application/pdf", keptAs: null },
  ]);
  const url = await linkOf(agent, id);
  expect(await statusOf(agent, url)).toBe(200);
  expect(await statusOf(student, url)).toBe(404);
  const looks = await w.services.database.db
    .select({ action: audit.action, subjectId: audit.subjectId, detail: audit.detail })
    .from(audit)
    .where(eq(audit.actorId, agent.id));
  const detail = { right: "agent", file: id, thread: threadId };
  expect(looks).toContainEqual({ action: "message-file-viewed", subjectId: student.id, detail });
  await assign(w, student.id, null);
  expect(await statusOf(agent, url)).toBe(404);
});

test("an agent from whom the student withholds papers sees no names of files that the student sent", async () => {
  const { student, agent } = await assignedStudent(w);
  const passport = await uploadForMessage(student, student.id, "Passport A1234567.pdf");
  const { threadId } = await send(student, student.id, { files: [passport.id] });
  const guide = await uploadForMessage(agent, student.id, "Guide.pdf");
  await send(agent, student.id, { files: [guide.id] });
  const boss = await person(w, "admin", "active");
  const namesFor = async (reader: Person) =>
    (await messagesOf(reader, threadId)).flatMap(({ files }) => files.map(({ name }) => name));
  await student.caller.api.students.setSharing({ shares: false });
  expect(await namesFor(agent)).toEqual([null, "Guide.pdf"]);
  for (const reader of [student, boss])
    expect(await namesFor(reader)).toEqual(["Passport A1234567.pdf", "Guide.pdf"]);
  await student.caller.api.students.setSharing({ shares: true });
  expect(await namesFor(agent)).toEqual(["Passport A1234567.pdf", "Guide.pdf"]);
});

test("files are checked like documents, and limited per hour", async () => {
  const { student } = await assignedStudent(w);
  const text = new TextEncoder().encode("hello");
  const refused = await uploadForMessage(student, student.id, "notes.txt", text);
  expect([refused.status, refused.code]).toEqual([400, "invalid-argument"]);
  expect(await filesOf(w, student.id)).toEqual([]);
  const codes = [];
  for (let at = 0; at < 21; at++) codes.push((await uploadForMessage(student, student.id)).code);
  expect(codes).toEqual([...Array<string>(20).fill(""), "resource-exhausted"]);
});

test("the files in a student's messages share a size limit, even when uploaded concurrently", async () => {
  const { student, agent } = await assignedStudent(w);
  await w.services.database.db.update(user).set({ emailVerified: false }).where(eq(user.id, student.id));
  const full = { storageKey: "messages/full", name: "full.pdf", mediaType: "application/pdf" as const };
  const room = 2.5 * pdf().length;
  const size = 60 * 1024 * 1024 - Math.floor(room);
  await w.services.database.db
    .insert(messageFile)
    .values({ ...full, size, studentId: student.id, authorId: agent.id, side: "staff" });
  const answers = await Promise.all(Array.from({ length: 6 }, () => uploadForMessage(agent, student.id)));
  expect(answers.filter(({ id }) => id !== "")).toHaveLength(2);
  expect(answers.find(({ id }) => id === "")?.message).toMatch(/can take up 60 MB in all/);
});

test("a message accepts only its author's own files for that student, each once", async () => {
  const { student, agent } = await assignedStudent(w);
  const other = await assignedStudent(w);
  await assign(w, other.student.id, agent.id);
  const { id: ofStudent } = await uploadForMessage(student, student.id);
  const { id: ofOther } = await uploadForMessage(agent, other.student.id);
  for (const files of [[ofStudent], [ofOther], ["x"]])
    expect((await trySend(agent, student.id, { files })).code).toBe("failed-precondition");
  expect((await trySend(student, student.id, { files: [ofStudent, ofStudent] })).code).toBe(
    "failed-precondition",
  );
  await send(student, student.id, { files: [ofStudent] });
  expect((await trySend(student, student.id, { files: [ofStudent] })).code).toBe("failed-precondition");
  const applicationId = textIn((await submit(other.student)).body, "id");
  expect((await trySend(student, student.id, { applicationId })).code).toBe("not-found");
  const opened = await student.caller.call("conversations.open", { studentId: student.id, applicationId });
  expect(opened.code).toBe("not-found");
});

test("keeping a file copies it into a slot, where it waits for review; staff keep only what the student sent", async () => {
  const { student, agent } = await assignedStudent(w);
  const { id } = await uploadForMessage(student, student.id, "Transcript 2026.pdf");
  const { threadId } = await send(student, student.id, { files: [id] });
  const keep = ({ caller }: Person, fileId: string) =>
    caller.call("conversations.keepFile", { fileId, kind: "transcript" });
  expect((await keep(agent, id)).body).toEqual({ done: true });
  expect(await documentsOf(w, student.id, "transcript")).toMatchObject([
    { originalName: "Transcript 2026.pdf", state: "uploaded", replacedAt: null },
  ]);
  expect((await messagesOf(student, threadId))[0]?.files[0]?.keptAs).toBe("transcript");
  const own = await uploadForMessage(agent, student.id);
  await send(agent, student.id, { files: [own.id] });
  expect((await keep(agent, own.id)).code).toBe("permission-denied");
  expect((await keep(student, own.id)).code).toBeNull();
  // The copy is independent of the file in the message.
  expect(new Set(await filesOf(w, student.id)).size).toBe(4);
});

test("keeping a file whose content is gone is refused without a server error", async () => {
  const { student, agent } = await assignedStudent(w);
  const { id } = await uploadForMessage(student, student.id);
  await send(student, student.id, { files: [id] });
  const [row] = await w.services.database.db.select().from(messageFile).where(eq(messageFile.id, id));
  await w.services.storage.disk.delete(row?.storageKey ?? "");
  const answer = await agent.caller.call("conversations.keepFile", { fileId: id, kind: "cv" });
  expect(answer.status).toBe(400);
  expect(await documentsOf(w, student.id, "cv")).toEqual([]);
});

test("an unsent file can be discarded, and is deleted after a day", async () => {
  const { student, agent } = await assignedStudent(w);
  const { id } = await uploadForMessage(student, student.id);
  await uploadForMessage(student, student.id);
  const discard = ({ caller }: Person) => caller.call("conversations.discardFile", { fileId: id });
  expect((await discard(agent)).code).toBe("not-found");
  expect((await discard(student)).body).toEqual({ done: true });
  expect(await filesOf(w, student.id)).toHaveLength(1);
  const file = await uploadForMessage(student, student.id);
  await send(student, student.id, { files: [file.id] });
  await removeUnsentFiles(w.services, new Date(Date.now() + 23 * 3_600_000));
  expect(await filesOf(w, student.id)).toHaveLength(2);
  await removeUnsentFiles(w.services, new Date(Date.now() + 25 * 3_600_000));
  expect(await filesOf(w, student.id)).toHaveLength(1);
});
