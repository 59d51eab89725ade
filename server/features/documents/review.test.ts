import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assign, assignedStudent, documentsOf, upload } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { openStream } from "#tests/support/stream.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { user } from "../account/tables.ts";
import { audit } from "../audit/tables.ts";
import { notification } from "../notifications/tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const review = ({ caller }: Person, documentId: string, decision: string, more: object = {}) =>
  caller.call("documents.review", { documentId, kind: "statement", decision, seen: "uploaded", ...more });
const rowOf = async (student: Person, id: string) =>
  (await documentsOf(w, student.id)).find((row) => row.id === id);

/** Creates a student's new document, and the agent who may review it. */
async function waiting() {
  const people = await assignedStudent(w);
  const { id } = await upload(people.student, { kind: "statement" });
  return { ...people, id };
}

test("the assigned agent approves, and the student is notified", async () => {
  const { student, agent, id } = await waiting();
  const dashboard = await openStream(student.caller, "dashboard,notifications");
  expect((await review(agent, id, "approved", { reason: "not needed" })).status).toBe(200);
  expect(new Set([await dashboard.next(), await dashboard.next()])).toEqual(
    new Set(["dashboard", "notifications"]),
  );
  await dashboard.leave();
  expect(await rowOf(student, id)).toMatchObject({ state: "approved", reason: "", reviewedBy: agent.id });
  const { db } = w.services.database;
  expect(await db.select().from(notification).where(eq(notification.userId, student.id))).toMatchObject([
    { kind: "documentApproved", about: { document: "Statement of purpose" }, path: "/student-documents" },
  ]);
  await w.mail(student.email, /approved/);
});

test("an admin rejects with a reason, which the student reads", async () => {
  const { student, id } = await waiting();
  const admin = await person(w, "admin", "active");
  expect((await review(admin, id, "rejected", { reason: "  Too dark to read. " })).status).toBe(200);
  const { body } = await student.caller.call("documents.ofStudent", { studentId: student.id });
  expect(body).toMatchObject({
    slots: expect.arrayContaining([
      expect.objectContaining({
        kind: "statement",
        current: expect.objectContaining({ id, state: "rejected", reason: "Too dark to read." }),
      }),
    ]),
  });
  const { db } = w.services.database;
  expect(await db.select().from(notification).where(eq(notification.userId, student.id))).toMatchObject([
    { kind: "documentRejected", about: { document: "Statement of purpose", reason: "Too dark to read." } },
  ]);
  const entries = await db.select().from(audit).where(eq(audit.subjectId, student.id));
  expect(entries.at(-1)).toMatchObject({
    action: "document-rejected",
    actorId: admin.id,
    detail: { document: id, kind: "statement" },
  });
});

test("a rejection without a reason, or with one that is too long, is refused with a message", async () => {
  const { student, agent, id } = await waiting();
  for (const reason of ["", "  ", "x".repeat(501)])
    expect(await review(agent, id, "rejected", { reason })).toMatchObject({
      status: 422,
      code: "form/incomplete",
    });
  expect(await rowOf(student, id)).toMatchObject({ state: "uploaded" });
});

test("a mistaken decision can be reversed, and the student is notified of the latest state", async () => {
  const { student, agent, id } = await waiting();
  await review(agent, id, "approved");
  const reason = "It is last year's.";
  expect((await review(agent, id, "rejected", { seen: "approved", reason })).status).toBe(200);
  expect((await review(agent, id, "approved", { seen: "rejected" })).status).toBe(200);
  expect(await rowOf(student, id)).toMatchObject({ state: "approved", reason: "" });
  const notified = await w.services.database.db
    .select()
    .from(notification)
    .where(eq(notification.userId, student.id));
  expect(notified.map(({ kind }) => kind)).toEqual(["documentApproved"]);
});

describe("nobody overwrites what they have not seen", () => {
  test("one of three concurrent decisions succeeds; the others get a conflict", async () => {
    for (let round = 0; round < 10; round++) {
      const { student, agent, id } = await waiting();
      const admin = await person(w, "admin", "active");
      const answers = await Promise.all([
        review(agent, id, "approved"),
        review(admin, id, "rejected", { reason: "No" }),
        review(admin, id, "approved"),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused.map(({ code }) => code)).toEqual(["failed-precondition", "failed-precondition"]);
      expect(await rowOf(student, id)).toMatchObject({ state: expect.stringMatching(/approved|rejected/) });
    }
  });

  test("a version that was replaced can't be reviewed any more", async () => {
    const { student, agent, id } = await waiting();
    await upload(student, { kind: "statement" });
    expect((await review(agent, id, "approved")).code).toBe("failed-precondition");
    expect(await rowOf(student, id)).toMatchObject({ state: "uploaded" });
  });

  test("a concurrent review and replacement never approve the new version unseen", async () => {
    for (let round = 0; round < 10; round++) {
      const { student, agent, id } = await waiting();
      const [answer, fresh] = await Promise.all([
        review(agent, id, "approved"),
        upload(student, { kind: "statement" }),
      ]);
      expect(["failed-precondition", null]).toContain(answer.code);
      expect(fresh.status).toBe(200);
      expect(await rowOf(student, fresh.id)).toMatchObject({ state: "uploaded", replacedAt: null });
    }
  });
});

describe("nobody else reviews", () => {
  test("another agent and a former one don't find the document", async () => {
    const { student, agent, id } = await waiting();
    const other = await person(w, "agent", "approved");
    const unknown = await review(other, "unknown", "approved");
    expect(await review(other, id, "approved")).toMatchObject({ status: 404, body: unknown.body });
    await assign(w, student.id, other.id);
    expect((await review(agent, id, "approved")).code).toBe("not-found");
    expect((await review(other, id, "approved")).status).toBe(200);
  });

  test("the student and a pending agent are refused", async () => {
    const { student, id } = await waiting();
    const pending = await person(w, "agent", "pending");
    for (const who of [student, pending])
      expect((await review(who, id, "approved")).code).toBe("permission-denied");
  });

  test("an agent whose approval ended is refused while the session is still cached", async () => {
    const { student, agent, id } = await waiting();
    await agent.caller.call("account.me");
    const { db } = w.services.database;
    await db.update(user).set({ status: "revoked" }).where(eq(user.id, agent.id));
    expect((await review(agent, id, "approved")).code).toBe("not-found");
    expect(await rowOf(student, id)).toMatchObject({ state: "uploaded" });
  });
});
