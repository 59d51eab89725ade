import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NotePage } from "#contract/notes.ts";
import { noteLimits } from "#domain/note.ts";
import { notesTopic } from "#protocol/live-topic.ts";
import { audit } from "#server/features/audit/tables.ts";
import { eraseByEmail } from "#server/features/privacy/erase-account.ts";
import { withOwnData } from "#server/features/privacy/own-data.ts";
import { mine, submit } from "#tests/support/applications.ts";
import { type Answer, Caller } from "#tests/support/caller.ts";
import { assign, assignedStudent } from "#tests/support/documents.ts";
import { tablesWith } from "#tests/support/erasure.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { openStream } from "#tests/support/stream.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { note } from "./tables.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const addNote = ({ caller }: Person, { id }: Person, text: string, kind = "call") =>
  caller.call("notes.addToStudent", { studentId: id, kind, text });
async function read(answer: Promise<Answer>): Promise<NotePage> {
  const { status, body } = await answer;
  expect(status).toBe(200);
  return body as NotePage;
}
const listOf = ({ caller }: Person, { id }: Person, cursor?: string) =>
  caller.call("notes.ofStudent", { studentId: id, cursor });
const texts = ({ notes }: Pick<NotePage, "notes">) => notes.map(({ text }) => text);
const reassign = (who: Person, student: Person, from: Person | null, to: Person | null, text = "") =>
  who.caller.call("students.assign", {
    studentId: student.id,
    agentId: to?.id ?? null,
    expectedAgentId: from?.id ?? null,
    note: text,
  });

describe("notes", () => {
  test("can be written and read by the assigned agent and admins only, newest first", async () => {
    const { student, agent } = await assignedStudent(w);
    expect((await addNote(agent, student, "  Called Ada.\n")).body).toEqual({ id: expect.any(String) });
    expect((await read(listOf(agent, student))).notes).toMatchObject([
      { kind: "call", text: "Called Ada.", author: { role: "agent", name: "Ada Obi" }, application: null },
    ]);
    expect((await addNote(boss, student, "Fee is paid", "other")).status).toBe(200);
    for (const who of [agent, boss])
      expect(texts(await read(listOf(who, student)))).toEqual(["Fee is paid", "Called Ada."]);
    const others = [student, await person(w, "student", "active"), await person(w, "agent", "approved")];
    for (const who of others)
      for (const answer of [await listOf(who, student), await addNote(who, student, "Mine")])
        expect(["not-found", "permission-denied"]).toContain(answer.code);
  });

  test("about an application are listed with it and with the student", async () => {
    const { student, agent } = await assignedStudent(w);
    await submit(student);
    const applicationId = (await mine(student))[0]?.id ?? "";
    await addNote(agent, student, "About Ada");
    const form = { applicationId, kind: "email", text: "Wrote to Leeds" };
    await agent.caller.call("notes.addToApplication", form);
    expect((await read(agent.caller.call("notes.ofApplication", { applicationId }))).notes).toMatchObject([
      { text: "Wrote to Leeds", application: { id: applicationId, program: "MSc Data Science" } },
    ]);
    expect(texts(await read(listOf(agent, student)))).toEqual(["Wrote to Leeds", "About Ada"]);
  });

  test("need a text of at most 4,000 characters", async () => {
    const { student, agent } = await assignedStudent(w);
    for (const text of [" \n ", "x".repeat(4001)])
      expect((await addNote(agent, student, text)).code).toBe("form/incomplete");
    expect((await addNote(agent, student, ` ${"x".repeat(4000)} `)).status).toBe(200);
  });

  test("are limited in number", async () => {
    const { student, agent } = await assignedStudent(w);
    await w.services.database.db.insert(note).values(
      Array.from({ length: noteLimits.perStudent - 1 }, () => ({
        id: randomUUID(),
        studentId: student.id,
        authorId: agent.id,
        kind: "call" as const,
        text: "Again",
      })),
    );
    expect((await addNote(agent, student, "The last")).status).toBe(200);
    expect((await addNote(agent, student, "Too many")).code).toBe("resource-exhausted");
    const ids: string[] = [];
    for (let cursor: string | undefined = undefined; ; ) {
      const page: NotePage = await read(listOf(agent, student, cursor));
      ids.push(...page.notes.map(({ id }) => id));
      if (page.next === null) break;
      cursor = page.next;
    }
    expect(new Set(ids).size).toBe(noteLimits.perStudent);
  });

  test("can't be changed or removed, even by the tables' owner", async () => {
    const { student, agent } = await assignedStudent(w);
    await addNote(agent, student, "For good");
    for (const statement of ["update note set text = ''", "delete from note", "truncate note cascade"]) {
      await expect(w.services.database.pool.query(statement)).rejects.toThrow();
      await expect(w.asOwner(statement)).rejects.toThrow(/append-only/);
    }
  });

  test("are in the audit log without their text", async () => {
    const { student, agent } = await assignedStudent(w);
    const { id } = (await addNote(agent, student, "Sensitive words")).body as { id: string };
    const entries = await w.services.database.db.select().from(audit).where(eq(audit.subjectId, student.id));
    expect(entries.map(({ action, detail }) => [action, detail])).toEqual([["note-added", { note: id }]]);
  });

  test("are erased with their student, and outlive their author", async () => {
    const [{ student, agent }, other] = [await assignedStudent(w), await person(w, "student", "active")];
    await assign(w, other.id, agent.id);
    const [text, otherText] = [`gone-${randomUUID()}`, `kept-${randomUUID()}`];
    const { id } = (await addNote(agent, student, text)).body as { id: string };
    await agent.caller.call("notes.pin", { noteId: id, pinned: true });
    await addNote(agent, other, otherText);
    for (const who of [student, agent]) {
      const disabling = { userId: who.id, disabled: true, releaseStudents: true };
      await boss.caller.call("students.setDisabled", disabling);
      expect(await eraseByEmail(w.services, who.email)).toBe("erased");
    }
    expect(await tablesWith(w, text)).toEqual([]);
    expect((await read(listOf(boss, other))).notes).toMatchObject([{ text: otherText, author: null }]);
  });
});

describe("a pinned note", () => {
  test("exists once about the student and once about each application", async () => {
    const { student, agent } = await assignedStudent(w);
    await submit(student);
    const applicationId = (await mine(student))[0]?.id ?? "";
    const ids: string[] = [];
    for (const text of ["First", "Second"])
      ids.push(((await addNote(agent, student, text)).body as { id: string }).id);
    const form = { applicationId, kind: "other", text: "Third" };
    ids.push(((await agent.caller.call("notes.addToApplication", form)).body as { id: string }).id);
    const pin = (noteId: string, pinned = true) => agent.caller.call("notes.pin", { noteId, pinned });
    for (const id of ids) expect((await pin(id)).status).toBe(200);
    expect((await read(listOf(agent, student))).pinned?.text).toBe("Second");
    const ofApplication = () => read(agent.caller.call("notes.ofApplication", { applicationId }));
    expect((await ofApplication()).pinned?.text).toBe("Third");
    // The first is no longer the pinned one.
    await pin(ids[0] ?? "", false);
    expect((await read(listOf(agent, student))).pinned?.text).toBe("Second");
    await pin(ids[1] ?? "", false);
    expect((await read(listOf(agent, student))).pinned).toBe(null);
  });

  test("stays a single one when two people pin concurrently", async () => {
    const { student, agent } = await assignedStudent(w);
    const ids = await Promise.all(
      ["One", "Two", "Three", "Four"].map(
        async (text) => ((await addNote(agent, student, text)).body as { id: string }).id,
      ),
    );
    const pins = await Promise.all(
      ids.map((noteId, at) =>
        (at % 2 === 0 ? agent : boss).caller.call("notes.pin", { noteId, pinned: true }),
      ),
    );
    expect(pins.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(ids).toContain((await read(listOf(agent, student))).pinned?.id);
  });
});

describe("reassigning", () => {
  test("gives the next agent all notes, with one for the handover, and the former agent none", async () => {
    const { student, agent } = await assignedStudent(w);
    const next = await person(w, "agent", "approved");
    await addNote(agent, student, "Before");
    expect((await reassign(agent, student, agent, next, " Call her mother first. ")).status).toBe(200);
    const page = await read(listOf(next, student));
    expect(page.notes).toMatchObject([
      { text: "Call her mother first.", kind: "other", author: { role: "agent" } },
      { text: "Before" },
    ]);
    const [first] = page.notes;
    const attempts = [
      listOf(agent, student),
      addNote(agent, student, "After"),
      agent.caller.call("notes.pin", { noteId: first?.id, pinned: true }),
    ];
    for (const answer of await Promise.all(attempts)) expect(answer.code).toBe("not-found");
  });

  test("writes the note about each student of a hand-over, or none at all", async () => {
    const { student, agent } = await assignedStudent(w);
    const [second, next] = [await person(w, "student", "active"), await person(w, "agent", "approved")];
    await assign(w, second.id, agent.id);
    const handOver = (toAgentId: string, text: string) =>
      boss.caller.call("students.handOver", { fromAgentId: agent.id, toAgentId, note: text });
    expect((await handOver(next.id, "x".repeat(4001))).code).toBe("form/incomplete");
    expect((await handOver(randomUUID(), "Lost")).code).toBe("failed-precondition");
    expect((await handOver(next.id, "Fees are due in May")).status).toBe(200);
    for (const each of [student, second])
      expect(texts(await read(listOf(next, each)))).toEqual(["Fees are due in May"]);
  });

  test("refuses a note from an agent who had nothing to hand over", async () => {
    const [student, agent] = [await person(w, "student", "active"), await person(w, "agent", "approved")];
    expect((await reassign(agent, student, null, agent, "Mine now")).code).toBe("permission-denied");
    expect((await reassign(agent, student, null, agent)).status).toBe(200);
    expect(texts(await read(listOf(agent, student)))).toEqual([]);
  });

  test("lets a former agent read nothing that was written after it", async () => {
    const { student, agent } = await assignedStudent(w);
    const next = await person(w, "agent", "approved");
    const early = Promise.all(Array.from({ length: 20 }, () => listOf(agent, student)));
    await reassign(boss, student, agent, next);
    const notes = Promise.all(Array.from({ length: 5 }, () => addNote(next, student, "secret")));
    const late = Array.from({ length: 20 }, () => listOf(agent, student));
    for (const { status } of await notes) expect(status).toBe(200);
    for (const answer of await early) expect(JSON.stringify(answer.body)).not.toContain("secret");
    for (const answer of await Promise.all(late)) expect(answer.code).toBe("not-found");
  });

  test("ends the former agent's topic on another node", async () => {
    const { student, agent } = await assignedStudent(w);
    const next = await person(w, "agent", "approved");
    const other = await wayfare({ on: w.address });
    const topic = notesTopic(student.id);
    const watch = async ({ caller }: Person) => {
      const elsewhere = new Caller(other.app);
      for (const [name, value] of caller.cookies) elsewhere.cookies.set(name, value);
      return await openStream(elsewhere, topic);
    };
    const [former, own] = [await watch(agent), await watch(student)];
    const refused = { name: topic, data: JSON.stringify({ refused: "not-found" }) };
    expect(await own.nextEvent()).toEqual(refused);
    expect(await former.nextEvent()).toEqual({ name: topic, data: "{}" });
    await addNote(agent, student, "Heard");
    expect(await former.nextEvent()).toEqual({ name: topic, data: "{}" });
    await reassign(boss, student, agent, next);
    expect(await former.nextEvent()).toEqual(refused);
    await Promise.all([former.leave(), own.leave()]);
    await other.stop();
  });
});

test("the student's download has the notes, unless the installation leaves them out", async () => {
  const { student, agent } = await assignedStudent(w);
  await addNote(agent, student, "In the download");
  const download = async (notesInDownload: boolean) => {
    const services = { ...w.services, environment: { ...w.environment, notesInDownload } };
    return await withOwnData(services, { userId: student.id, address: "" }, async ({ open, counts }) => {
      const pieces: Buffer[] = [];
      for await (const piece of open()) pieces.push(Buffer.from(piece));
      return { text: Buffer.concat(pieces).toString(), isListed: counts.has("staffNotes") };
    });
  };
  const [whole, without] = [await download(true), await download(false)];
  expect([whole.text.includes("In the download"), whole.isListed]).toEqual([true, true]);
  expect([without.text.includes("In the download"), without.isListed]).toEqual([false, false]);
});
