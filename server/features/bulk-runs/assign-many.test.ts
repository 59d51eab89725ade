import { randomUUID } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noteLimits } from "#domain/note.ts";
import { note } from "#server/features/notes/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { addStudents, finished, startAndFinish } from "#tests/support/bulk-runs.ts";
import { tablesWith } from "#tests/support/erasure.ts";
import { type Person, person, storedUser } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { carryOutRun } from "./carry-out.ts";
import { bulkRun } from "./tables.ts";

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

const agentOf = async (id: string) => (await storedUser(w, id))?.assignedAgentId;

describe("an assignment of many", () => {
  test("is taken back once, for the students on whom nobody has acted since", async () => {
    const [viewed = "", greeted = "", still = "", passed = ""] = await addStudents(w, 4, kofi, null);
    const { api } = boss.caller;
    const studentIds = [viewed, greeted, still, passed];
    const run = await startAndFinish(
      boss,
      await api.bulkRuns.prepare({ act: "assign", studentIds, agentId: yaw.id }),
    );
    expect(run).toMatchObject({ done: 4, agent: { id: yaw.id } });
    expect(run.takeBackUntil).not.toBeNull();
    await yaw.caller.api.students.identity({ studentId: viewed });
    await yaw.caller.api.conversations.send({
      studentId: greeted,
      applicationId: null,
      key: randomUUID(),
      text: "Hello, I'm your agent now.",
      files: [],
    });
    await api.students.assign({ studentId: passed, agentId: null, expectedAgentId: yaw.id });
    const [one, two] = await Promise.all([1, 2].map(() => api.bulkRuns.takeBack({ id: run.id })));
    expect(one?.id).toBe(two?.id);
    expect(await finished(boss, { id: one?.id ?? "" })).toMatchObject({
      act: "takeBack",
      done: 1,
      reasons: [{ reason: "meanwhile", rows: 3 }],
    });
    expect(await Promise.all(studentIds.map(agentOf))).toEqual([yaw.id, yaw.id, kofi.id, null]);
    expect((await api.bulkRuns.get({ id: run.id })).takeBackUntil).toBeNull();
  });

  test("reopens a request for another agent when it is taken back, and notifies admins", async () => {
    const ada = await person(w, "student", "active");
    const { api } = boss.caller;
    await api.students.assign({ studentId: ada.id, agentId: kofi.id, expectedAgentId: null });
    await ada.caller.api.students.askForChange({ reason: "He never answers." });
    const openRequest = async () =>
      (await api.agents.changeRequests({})).requests.find(({ student }) => student.id === ada.id);
    const request = await openRequest();
    const run = await startAndFinish(
      boss,
      await api.bulkRuns.prepare({ act: "assign", studentIds: [ada.id], agentId: yaw.id }),
    );
    expect(await openRequest()).toBeUndefined();
    // A second request, about the new agent, ends when the student leaves that agent.
    await ada.caller.api.students.askForChange({ reason: "I liked the other one better." });
    const { db } = w.services.database;
    const ofAdmin = and(eq(notification.userId, boss.id), eq(notification.kind, "agentChangeAsked"));
    await db.delete(notification).where(ofAdmin);
    expect(await finished(boss, await api.bulkRuns.takeBack({ id: run.id }))).toMatchObject({ done: 1 });
    expect(await openRequest()).toEqual(request);
    const notifications = await db.select().from(notification).where(ofAdmin);
    expect(notifications.map(({ about }) => about["student"])).toEqual([request?.student.name]);
  });

  test("leaves a note for the next agent of each student who had an agent, and stores it nowhere else", async () => {
    const [theirs = ""] = await addStudents(w, 1, kofi, null);
    const [nobodys = ""] = await addStudents(w, 1, null, null);
    const { api } = boss.caller;
    const text = "Promised an answer by Friday.";
    const studentIds = [theirs, nobodys];
    const assigning = { act: "assign" as const, studentIds, agentId: yaw.id };
    const run = await api.bulkRuns.prepare({ ...assigning, note: text });
    expect(run.note).toBe(text);
    expect(await startAndFinish(boss, run)).toMatchObject({ done: 2, note: "" });
    const { db } = w.services.database;
    const notes = await db
      .select()
      .from(note)
      .where(inArray(note.studentId, [theirs, nobodys]));
    expect(notes).toMatchObject([{ studentId: theirs, authorId: boss.id, text }]);
    expect(await tablesWith(w, text)).toEqual(["public.note"]);
    const tooLong = { ...assigning, note: "x".repeat(noteLimits.text + 1) };
    expect((await boss.caller.call("bulkRuns.prepare", tooLong)).code).toBe("form/incomplete");
  });

  test("can't be taken back after the deadline, and a move never can", async () => {
    const studentIds = await addStudents(w, 1, kofi, "submitted");
    const { api } = boss.caller;
    const moved = await startAndFinish(
      boss,
      await api.bulkRuns.prepare({
        act: "move",
        from: "submitted",
        to: "inReview",
        note: "",
        studentIds,
      }),
    );
    expect((await boss.caller.call("bulkRuns.takeBack", { id: moved.id })).code).toBe("failed-precondition");
    const run = await startAndFinish(
      boss,
      await api.bulkRuns.prepare({ act: "assign", studentIds, agentId: null }),
    );
    const finishedAt = new Date(Date.now() - 11 * 60_000);
    await w.services.database.db.update(bulkRun).set({ finishedAt }).where(eq(bulkRun.id, run.id));
    expect((await boss.caller.call("bulkRuns.takeBack", { id: run.id })).code).toBe("failed-precondition");
  });

  test("lets an agent take on no more students an hour than single assignments do", async () => {
    const agent = await person(w, "agent", "approved");
    const studentIds = await addStudents(w, 12, null, null);
    const run = await agent.caller.api.bulkRuns.prepare({ act: "assign", studentIds, agentId: agent.id });
    expect(await startAndFinish(agent, run)).toMatchObject({
      done: 10,
      reasons: [{ reason: "tooMany", rows: 2 }],
    });
  });

  test("counts each student once when several jobs work on it concurrently", async () => {
    const agent = await person(w, "agent", "approved");
    const studentIds = await addStudents(w, 10, null, null);
    const run = await agent.caller.api.bulkRuns.prepare({ act: "assign", studentIds, agentId: agent.id });
    await agent.caller.api.bulkRuns.start({ id: run.id });
    await Promise.all([1, 2, 3].map(() => carryOutRun(w.services, run.id)));
    expect(await finished(agent, run)).toMatchObject({ done: 10, skipped: 0, failed: 0 });
  });
});
