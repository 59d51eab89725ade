import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applicationForm, assign, submittedApplication } from "#tests/support/applications.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { user } from "../account/tables.ts";
import { moveApplication, submitApplication } from "./commands.ts";
import { applicationStep } from "./tables.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

test("steps can't be changed or removed", async () => {
  const { id } = await submittedApplication(w);
  const { db } = w.services.database;
  const ours = eq(applicationStep.applicationId, id);
  await expect(db.update(applicationStep).set({ note: "other" }).where(ours)).rejects.toThrow();
  await expect(db.delete(applicationStep).where(ours)).rejects.toThrow();
  await expect(db.execute(sql`truncate application_step`)).rejects.toThrow();
});

test("a long timeline comes in pages that neither repeat nor miss a step", async () => {
  const { student, id } = await submittedApplication(w);
  const values = Array.from({ length: 119 }, (_, index) => ({
    applicationId: id,
    actorId: student.id,
    from: "inReview" as const,
    to: "submitted" as const,
    note: String(index),
  }));
  await w.services.database.db.insert(applicationStep).values(values);
  const ids: number[] = [];
  let before: number | null = null;
  do {
    const { body } = await student.caller.call("applications.timeline", {
      applicationId: id,
      ...(before !== null && { before }),
    });
    const page = body as { steps: { id: number }[]; next: number | null };
    expect(page.steps.length).toBeLessThanOrEqual(50);
    ids.push(...page.steps.map((step) => step.id));
    before = page.next;
  } while (before !== null);
  expect(ids).toHaveLength(120);
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
});

describe("access to a student's applications", () => {
  let at: Awaited<ReturnType<typeof submittedApplication>>;
  let people: Record<string, Caller>;
  beforeAll(async () => {
    at = await submittedApplication(w);
    const former = await person(w, "agent", "approved");
    await assign(w, at.student, former);
    await assign(w, at.student, at.agent);
    people = {
      student: at.student.caller,
      assigned: at.agent.caller,
      admin: boss.caller,
      former: former.caller,
      unassigned: (await person(w, "agent", "approved")).caller,
      otherStudent: (await person(w, "student", "active")).caller,
      pending: (await person(w, "agent", "pending")).caller,
      visitor: new Caller(w.app),
    };
  });

  const unseen = { look: "not-found", move: "not-found" };
  const onlooker = { look: null, move: "permission-denied" };
  test.each([
    ["student", { look: null, mover: "student", move: "failed-precondition" }],
    ["assigned", { look: null, mover: "agent", move: "failed-precondition" }],
    ["admin", { look: null, mover: "admin", move: "failed-precondition" }],
    ["former", { ...onlooker, mover: null }],
    ["unassigned", { ...onlooker, mover: null }],
    ["otherStudent", unseen],
    ["pending", unseen],
    ["visitor", { look: "unauthenticated", move: "unauthenticated" }],
  ])("%s", async (who, may: { look: string | null; move: string; mover?: string | null }) => {
    const caller = people[who] ?? new Caller(w.app);
    const list = await caller.call("applications.ofStudent", { studentId: at.student.id });
    const timeline = await caller.call("applications.timeline", { applicationId: at.id });
    // No application has this version: only callers who may move it get as far as the conflict.
    const move = await caller.call("applications.move", {
      applicationId: at.id,
      version: 99,
      to: "inReview",
    });
    expect([list.code, timeline.code, move.code]).toEqual([may.look, may.look, may.move]);
    if (may.look === null) {
      expect(list.body).toMatchObject({ mover: may.mover, applications: [{ id: at.id }] });
    }
  });

  test("no applications of an agent or an admin are found", async () => {
    for (const studentId of [at.agent.id, boss.id, "unknown"])
      expect((await boss.caller.call("applications.ofStudent", { studentId })).code).toBe("not-found");
  });

  test("the command itself refuses a user who has just lost the right", async () => {
    const gone = await person(w, "student", "active");
    await w.services.database.db.update(user).set({ status: "disabled" }).where(eq(user.id, gone.id));
    const actor = { userId: gone.id, address: "203.0.113.7" };
    const submitting = submitApplication(w.services, actor, applicationForm);
    await expect(submitting).rejects.toMatchObject({ code: "permission-denied" });
    await w.services.database.db.update(user).set({ status: "revoked" }).where(eq(user.id, at.agent.id));
    const move = { applicationId: at.id, version: 1, to: "inReview" as const, note: "" };
    const moving = moveApplication(w.services, { ...actor, userId: at.agent.id }, move);
    await expect(moving).rejects.toMatchObject({ code: "not-found" });
  });
});
