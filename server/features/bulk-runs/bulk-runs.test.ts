import { and, count, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { applicationStep } from "#server/features/applications/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { addStudents, finished, startAndFinish } from "#tests/support/bulk-runs.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { carryOutRun, tidyBulkRuns } from "./carry-out.ts";
import { bulkItem, bulkRun } from "./tables.ts";

let w: Wayfare;
let boss: Person;
let kofi: Person;
let yaw: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
  kofi = await person(w, "agent", "approved");
  yaw = await person(w, "agent", "approved");
});
afterAll(() => w.stop());

const move = { act: "move", from: "submitted", to: "inReview", note: "" } as const;

describe("a move of 200 students", () => {
  test("names the 17 that are left out before it starts, and moves the others once", async () => {
    const own = await addStudents(w, 183, kofi, "submitted");
    const others = await addStudents(w, 12, yaw, "submitted");
    const rejected = await addStudents(w, 5, kofi, "rejected");
    const { api } = kofi.caller;
    const studentIds = [...own, ...others, ...rejected];
    const prepared = await api.bulkRuns.prepare({ ...move, studentIds });
    const counts = {
      skipped: 17,
      failed: 0,
      reasons: [
        { reason: "anotherAgents", rows: 12 },
        { reason: "rejected", rows: 5 },
      ],
    };
    expect(prepared).toMatchObject({ waiting: 183, done: 0, startedAt: null, ...counts });
    const { db } = w.services.database;
    expect(
      await db.$count(
        applicationStep,
        inArray(
          applicationStep.applicationId,
          own.map((id) => `a-${id}`),
        ),
      ),
    ).toBe(0);

    expect(await startAndFinish(kofi, prepared)).toMatchObject({ waiting: 0, done: 183, ...counts });
    await api.bulkRuns.start({ id: prepared.id });
    const steps = await db
      .select({ id: applicationStep.applicationId, steps: count() })
      .from(applicationStep)
      .where(
        inArray(
          applicationStep.applicationId,
          studentIds.map((id) => `a-${id}`),
        ),
      )
      .groupBy(applicationStep.applicationId);
    expect(steps.map(({ id }) => id).toSorted()).toEqual(own.map((id) => `a-${id}`));
    expect(steps.every((each) => each.steps === 1)).toBe(true);
    const skipped = await api.bulkRuns.items({ id: prepared.id, outcome: "skipped" });
    expect(skipped.items).toHaveLength(17);
    expect(skipped.items[0]).toMatchObject({ student: { name: others[0] }, reason: "anotherAgents" });
  });

  test("leaves out what has changed after it was prepared", async () => {
    const [moved = "", lost = "", other = ""] = await addStudents(w, 3, kofi, "submitted");
    const run = await kofi.caller.api.bulkRuns.prepare({ ...move, studentIds: [moved, lost, other] });
    await boss.caller.api.applications.move({
      applicationId: `a-${moved}`,
      version: 1,
      to: "deferred",
      note: "",
    });
    await boss.caller.api.students.assign({ studentId: lost, agentId: yaw.id, expectedAgentId: kofi.id });
    expect(await startAndFinish(kofi, run)).toMatchObject({ done: 1, skipped: 2 });
    const { items } = await kofi.caller.api.bulkRuns.items({ id: run.id });
    expect(items.map(({ student, reason }) => [student?.id, reason])).toEqual([
      [moved, "meanwhile"],
      [lost, "anotherAgents"],
      [other, null],
    ]);
  });

  test("leaves out an application whose list its student has not confirmed", async () => {
    const studentIds = await addStudents(w, 2, kofi, "inReview");
    const sending = { ...move, from: "inReview", to: "sentToUniversity", studentIds } as const;
    const run = await kofi.caller.api.bulkRuns.prepare(sending);
    expect(await startAndFinish(kofi, run)).toMatchObject({
      done: 0,
      reasons: [{ reason: "unconfirmed", rows: 2 }],
    });
  });

  test("leaves out an application that waits for a requested document, with that reason", async () => {
    const studentIds = await addStudents(w, 3, kofi, "submitted");
    const askFor = (studentId = "") =>
      kofi.caller.api.planner.askFor({
        studentId,
        applicationId: `a-${studentId}`,
        requests: [{ kind: "other", name: "Bank statement", reason: "", blocks: true, due: null }],
      });
    await askFor(studentIds[0]);
    const run = await kofi.caller.api.bulkRuns.prepare({ ...move, studentIds });
    expect(run).toMatchObject({ waiting: 2, reasons: [{ reason: "blocked", rows: 1 }] });
    await askFor(studentIds[1]);
    expect(await startAndFinish(kofi, run)).toMatchObject({
      done: 1,
      reasons: [{ reason: "blocked", rows: 2 }],
    });
    const rejection = { ...move, to: "rejected", note: "The programme is full.", studentIds } as const;
    expect(await kofi.caller.api.bulkRuns.prepare(rejection)).toMatchObject({
      waiting: 2,
      reasons: [{ reason: "inReview", rows: 1 }],
    });
  });

  test("needs the note that a single step needs", async () => {
    const studentIds = await addStudents(w, 1, kofi, "inReview");
    const answer = await kofi.caller.call("bulkRuns.prepare", {
      ...move,
      from: "inReview",
      to: "informationRequired",
      studentIds,
    });
    expect(answer).toMatchObject({ code: "form/incomplete", message: "Please enter a note." });
  });
});

test("the run of an agent who lost their approval moves nobody", async () => {
  const former = await person(w, "agent", "approved");
  const studentIds = await addStudents(w, 2, former, "inReview");
  const run = await former.caller.api.bulkRuns.prepare({ ...move, studentIds });
  const { db } = w.services.database;
  await db.update(bulkRun).set({ startedAt: new Date() }).where(eq(bulkRun.id, run.id));
  await db.update(user).set({ status: "revoked" }).where(eq(user.id, former.id));
  await carryOutRun(w.services, run.id);
  const rows = await db.select().from(bulkItem).where(eq(bulkItem.runId, run.id));
  expect(rows.map(({ outcome }) => outcome)).toEqual(["skipped", "skipped"]);
});

test("a run that is interrupted on two nodes carries out each row once", async () => {
  const other = await wayfare({ on: w.address });
  const ids = await addStudents(w, 150, null, null);
  const { api } = boss.caller;
  const run = await api.bulkRuns.prepare({ act: "assign", studentIds: ids, agentId: yaw.id });
  const { db } = w.services.database;
  await api.bulkRuns.start({ id: run.id });
  const racing = [w, other, w].map(({ services }) => carryOutRun(services, run.id).catch(() => {}));
  const isDone = and(eq(bulkItem.runId, run.id), eq(bulkItem.outcome, "done"));
  await until(async () => (await db.$count(bulkItem, isDone).catch(() => 0)) > 20);
  await w.asOwner(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
  );
  await Promise.all([other.stop(), ...racing]);
  expect(await finished(boss, run)).toMatchObject({ done: 150, skipped: 0, failed: 0 });
  const entries = await db
    .select({ id: audit.subjectId, entries: count() })
    .from(audit)
    .where(and(eq(audit.action, "agent-assigned"), inArray(audit.subjectId, ids)))
    .groupBy(audit.subjectId);
  expect(entries).toHaveLength(150);
  expect(entries.every((each) => each.entries === 1)).toBe(true);
  const notifications = await db.select().from(notification).where(eq(notification.userId, yaw.id));
  expect(notifications.filter(({ about }) => about["students"] === "150 students")).toHaveLength(1);
});

test("a run is visible to its creator only, must start within an hour and is kept for 30 days", async () => {
  const studentIds = await addStudents(w, 1, kofi, null);
  const { api } = boss.caller;
  const run = await api.bulkRuns.prepare({ act: "assign", studentIds, agentId: yaw.id });
  for (const procedure of ["get", "items", "start", "takeBack"])
    expect((await kofi.caller.call(`bulkRuns.${procedure}`, { id: run.id })).code).toBe("not-found");
  const { db } = w.services.database;
  const age = (days: number) =>
    db
      .update(bulkRun)
      .set({ frozenAt: new Date(Date.now() - days * 24 * 3_600_000) })
      .where(eq(bulkRun.id, run.id));
  await age(0.05);
  expect((await boss.caller.call("bulkRuns.start", { id: run.id })).code).toBe("failed-precondition");
  await db.update(bulkRun).set({ startedAt: new Date() }).where(eq(bulkRun.id, run.id));
  await age(29);
  await tidyBulkRuns(w.services);
  expect((await api.bulkRuns.get({ id: run.id })).id).toBe(run.id);
  await age(31);
  await tidyBulkRuns(w.services);
  expect((await boss.caller.call("bulkRuns.get", { id: run.id })).code).toBe("not-found");
  expect(await db.$count(bulkItem, eq(bulkItem.runId, run.id))).toBe(0);
});

test("choosing all of a view returns its current students, 200 at most", async () => {
  const ids = await addStudents(w, 201, kofi, null);
  const { api } = boss.caller;
  const view = { search: ids[0]?.split("-")[0] ?? "" };
  const choice = await api.bulkRuns.choose(view);
  expect(choice.isAll).toBe(false);
  expect(choice.students.map(({ id }) => id)).toEqual(ids.slice(0, 200));
  const tooMany = await boss.caller.call("bulkRuns.prepare", {
    act: "assign",
    studentIds: ids,
    agentId: null,
  });
  expect(tooMany.code).toBe("invalid-argument");
});
