import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DocumentKind } from "#domain/document.ts";
import { audit } from "#server/features/audit/tables.ts";
import { textIn } from "#tests/support/caller.ts";
import { assignedStudent, documentsOf, filesOf, giveReason, upload } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { openStream } from "#tests/support/stream.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { user } from "../account/tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const newStudent = () => person(w, "student", "active");
const move = ({ caller }: Person, documentId: string, to: DocumentKind) =>
  caller.call("documents.move", { documentId, to });
const takeBack = ({ caller }: Person, documentId: string) =>
  caller.call("documents.takeBack", { documentId });
const review = ({ caller }: Person, documentId: string, kind: DocumentKind, decision: string) =>
  caller.call("documents.review", { documentId, kind, decision, seen: "uploaded", reason: "Too dark." });

/** Lists the files in a student's slots now, as "kind: name state". */
async function slotsOf(student: Person): Promise<string[]> {
  const rows = await documentsOf(w, student.id);
  return rows
    .filter(({ replacedAt }) => replacedAt === null)
    .map(({ kind, originalName, state }) => `${kind}: ${originalName} ${state}`)
    .toSorted();
}
const actions = async (student: Person) => {
  const entries = await w.services.database.db.select().from(audit).where(eq(audit.subjectId, student.id));
  return entries.map(({ action, detail }) => ({ action, detail })).slice(-1);
};

describe("moving", () => {
  test("puts a file into an empty slot, where it waits for review, and restores the one that it had replaced", async () => {
    const { student, agent } = await assignedStudent(w);
    const cv = await upload(student, { kind: "cv", name: "cv.pdf" });
    expect((await review(agent, cv.id, "cv", "approved")).status).toBe(200);
    const { id } = await upload(student, { kind: "cv", name: "passport.png" });
    expect((await review(agent, id, "cv", "rejected")).status).toBe(200);
    const dashboard = await openStream(agent.caller, "dashboard");
    expect((await move(student, id, "passport")).status).toBe(200);
    expect(await dashboard.next()).toBe("dashboard");
    await dashboard.leave();
    expect(await slotsOf(student)).toEqual(["cv: cv.pdf approved", "passport: passport.png uploaded"]);
    const [row] = await documentsOf(w, student.id, "passport");
    expect(row).toMatchObject({ id, reason: "", reviewedBy: null, reviewedAt: null });
    expect(await actions(student)).toEqual([
      { action: "document-moved", detail: { document: id, from: "cv", to: "passport" } },
    ]);
  });

  test("swaps two files", async () => {
    const student = await newStudent();
    const first = await upload(student, { kind: "cv", name: "passport.png" });
    const second = await upload(student, { kind: "passport", name: "cv.pdf" });
    expect((await move(student, first.id, "passport")).status).toBe(200);
    expect(await slotsOf(student)).toEqual(["cv: cv.pdf uploaded", "passport: passport.png uploaded"]);
    expect(await actions(student)).toMatchObject([{ detail: { swapped: second.id } }]);
  });

  test("is refused if one of the two files is approved, or the file is in that slot already", async () => {
    const { student, agent } = await assignedStudent(w);
    const [cv, passport] = [
      await upload(student, { kind: "cv" }),
      await upload(student, { kind: "passport" }),
    ];
    expect((await move(student, cv.id, "cv")).code).toBe("failed-precondition");
    await review(agent, passport.id, "passport", "approved");
    expect((await move(student, cv.id, "passport")).code).toBe("failed-precondition");
    expect((await move(student, passport.id, "statement")).code).toBe("failed-precondition");
    expect((await takeBack(student, passport.id)).code).toBe("failed-precondition");
  });

  test("prevents a reviewer from approving the file in the slot that it has left", async () => {
    const { student, agent } = await assignedStudent(w);
    const { id } = await upload(student, { kind: "cv" });
    expect((await move(student, id, "passport")).status).toBe(200);
    expect((await review(agent, id, "cv", "approved")).code).toBe("failed-precondition");
    expect(await slotsOf(student)).toEqual(["passport: cv.pdf uploaded"]);
  });

  test("a concurrent move and review: one of the two is refused", async () => {
    for (let round = 0; round < 10; round++) {
      const { student, agent } = await assignedStudent(w);
      const { id } = await upload(student, { kind: "cv" });
      const answers = await Promise.all([move(student, id, "passport"), review(agent, id, "cv", "approved")]);
      expect(answers.map(({ code }) => code ?? "done").toSorted()).toEqual(["done", "failed-precondition"]);
      expect([["cv: cv.pdf approved"], ["passport: cv.pdf uploaded"]]).toContainEqual(await slotsOf(student));
    }
  });

  test("concurrent moves, uploads and take-backs leave one file per slot, and a file for every record", async () => {
    for (let round = 0; round < 5; round++) {
      const student = await newStudent();
      const [a, b] = [await upload(student, { kind: "cv" }), await upload(student, { kind: "passport" })];
      await Promise.all([
        move(student, a.id, "passport"),
        move(student, b.id, "cv"),
        upload(student, { kind: "cv", bytes: new Uint8Array(pdf(300)) }),
        takeBack(student, a.id),
      ]);
      const rows = await documentsOf(w, student.id);
      const current = rows.filter(({ replacedAt }) => replacedAt === null).map(({ kind }) => kind);
      expect(new Set(current).size).toBe(current.length);
      expect((await filesOf(w, student.id)).toSorted()).toEqual(rows.map((row) => row.storageKey).toSorted());
    }
  });
});

describe("taking back", () => {
  test("deletes the file, and restores the previous one unchanged", async () => {
    const { student, agent } = await assignedStudent(w);
    const first = await upload(student, { name: "first.pdf" });
    await review(agent, first.id, "cv", "approved");
    const second = await upload(student, { name: "second.pdf" });
    expect((await takeBack(student, second.id)).status).toBe(200);
    expect(await slotsOf(student)).toEqual(["cv: first.pdf approved"]);
    expect(await filesOf(w, student.id)).toHaveLength(1);
    expect(await actions(student)).toEqual([
      { action: "document-taken-back", detail: { document: second.id, kind: "cv" } },
    ]);
    const link = await student.caller.call("documents.link", { documentId: second.id, mode: "view" });
    expect(link.code).toBe("not-found");
  });

  test("leaves the slot empty if there was no previous file", async () => {
    const student = await newStudent();
    const { id } = await upload(student);
    expect((await takeBack(student, id)).status).toBe(200);
    expect(await slotsOf(student)).toEqual([]);
    expect(await filesOf(w, student.id)).toEqual([]);
    expect((await takeBack(student, id)).code).toBe("not-found");
  });
});

test("others can't move or take back a file, and nobody can take back an earlier version", async () => {
  const { student, agent } = await assignedStudent(w);
  const { id: earlier } = await upload(student);
  const { id } = await upload(student);
  const other = await newStudent();
  for (const call of [move(other, id, "passport"), takeBack(other, id), takeBack(student, earlier)])
    expect((await call).code).toBe("not-found");
  for (const call of [move(agent, id, "passport"), takeBack(agent, id)])
    expect((await call).code).toBe("permission-denied");
  await student.caller.call("account.me");
  await w.services.database.db.update(user).set({ status: "disabled" }).where(eq(user.id, student.id));
  expect((await takeBack(student, id)).code).toBe("not-found");
  expect(await documentsOf(w, student.id)).toHaveLength(2);
});

test("only the student, the agent and admins can open earlier versions; each view is in the audit log", async () => {
  const { student, agent } = await assignedStudent(w);
  const bytes = pdf(400);
  const first = await upload(student, { name: "first.pdf", bytes: new Uint8Array(bytes) });
  await upload(student, { name: "second.pdf" });
  const admin = await person(w, "admin", "active");
  await giveReason(admin, student.id);
  for (const who of [student, agent, admin]) {
    const link = await who.caller.call("documents.link", { documentId: first.id, mode: "view" });
    const url = textIn(link.body, "url");
    const answer = await who.caller.request(url, {});
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    const entries = await w.services.database.db.select().from(audit).where(eq(audit.subjectId, student.id));
    expect(entries.at(-1)).toMatchObject({
      action: "document-viewed",
      actorId: who.id,
      detail: { document: first.id },
    });
  }
  const other = await person(w, "agent", "approved");
  expect((await other.caller.call("documents.link", { documentId: first.id, mode: "view" })).code).toBe(
    "not-found",
  );
});
