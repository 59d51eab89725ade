import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BulkRun } from "#contract/bulk-runs.ts";
import type { BulkAct } from "#domain/bulk-run.ts";
import { keysOf } from "#domain/keys-of.ts";
import { readCsv } from "#protocol/read-csv.ts";
import { user } from "#server/features/account/tables.ts";
import { message, thread } from "#server/features/conversations/tables.ts";
import { addStudents, finished, startAndFinish } from "#tests/support/bulk-runs.ts";
import { textIn } from "#tests/support/caller.ts";
import { tablesWith } from "#tests/support/erasure.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { carryOutRun } from "./carry-out.ts";

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

describe("sending to many students", () => {
  const textsOf = async (ids: readonly string[]) =>
    await w.services.database.db
      .select({ studentId: thread.studentId, text: message.text })
      .from(message)
      .innerJoin(thread, eq(thread.id, message.threadId))
      .where(inArray(thread.studentId, [...ids]))
      .orderBy(thread.studentId);

  test("writes one message in each student's own conversation, even when the run continues after a crash", async () => {
    const ids = await addStudents(w, 30, kofi, null);
    const [closed = "", lost = ""] = ids;
    const { db } = w.services.database;
    await db.update(user).set({ status: "disabled" }).where(eq(user.id, closed));
    const { api } = kofi.caller;
    const run = await api.bulkRuns.prepare({
      act: "message",
      studentIds: ids,
      text: " The deposit is due. ",
    });
    expect(run).toMatchObject({
      waiting: 29,
      reasons: [{ reason: "closed", rows: 1 }],
      text: " The deposit is due. ",
    });
    expect(await textsOf(ids)).toEqual([]);
    await boss.caller.api.students.assign({ studentId: lost, agentId: yaw.id, expectedAgentId: kofi.id });
    await api.bulkRuns.start({ id: run.id });
    await Promise.all([carryOutRun(w.services, run.id), carryOutRun(w.services, run.id)]);
    await api.bulkRuns.start({ id: run.id });
    expect(await finished(kofi, run)).toMatchObject({ done: 28, skipped: 2, failed: 0 });
    expect(await textsOf(ids)).toEqual(
      ids.slice(2).map((studentId) => ({ studentId, text: "The deposit is due." })),
    );
    const { items } = await api.bulkRuns.items({ id: run.id, outcome: "skipped" });
    expect(items.map(({ student, reason }) => [student?.id, reason])).toEqual([
      [closed, "closed"],
      [lost, "anotherAgents"],
    ]);
  });

  test("leaves no text in the database once it is blacked out in each conversation", async () => {
    const text = "Fallschirmspringerverein";
    const studentIds = await addStudents(w, 2, kofi, null);
    const run = await kofi.caller.api.bulkRuns.prepare({ act: "message", studentIds, text });
    expect(await tablesWith(w, text)).toEqual(["public.bulk_run"]);
    expect(await startAndFinish(kofi, run)).toMatchObject({ done: 2, text: "" });
    expect(await tablesWith(w, text)).toEqual(["public.message"]);
    const { db } = w.services.database;
    const messages = await db
      .select({ threadId: message.threadId, number: message.number })
      .from(message)
      .where(eq(message.text, text));
    for (const id of messages) await boss.caller.api.conversations.blackOut({ ...id, reason: "A slip" });
    expect(await tablesWith(w, text)).toEqual([]);
  });

  test("creates a task and a request for each student, due in the student's own time zone", async () => {
    const ids = await addStudents(w, 2, kofi, null);
    const { api } = kofi.caller;
    const due = { date: "2027-08-12", time: null, zone: "", whose: "applicant", hard: true } as const;
    const task = await api.bulkRuns.prepare({
      act: "task",
      studentIds: ids,
      title: "Pay the deposit",
      text: "By bank transfer.",
      due,
    });
    expect(task).toMatchObject({ text: "Pay the deposit", note: "By bank transfer.", due });
    expect(await startAndFinish(kofi, task)).toMatchObject({ done: 2, text: "Pay the deposit" });
    const request = await api.bulkRuns.prepare({
      act: "request",
      studentIds: ids,
      kind: "other",
      name: "Deposit receipt",
      reason: "The university wants to see it.",
      due,
    });
    expect(request).toMatchObject({ text: "Deposit receipt", note: "The university wants to see it.", due });
    expect(await startAndFinish(kofi, request)).toMatchObject({ done: 2, text: "Deposit receipt" });
    for (const studentId of ids) {
      const plan = await api.planner.ofStudent({ studentId });
      expect(plan.tasks).toMatchObject([{ title: "Pay the deposit", owner: "student", due: { hard: true } }]);
      expect(plan.requests).toMatchObject([{ kind: "other", name: "Deposit receipt", state: "asked" }]);
    }
  });

  test("is refused before anyone gets it if its text or deadline is invalid", async () => {
    const studentIds = await addStudents(w, 1, kofi, null);
    const inputs = [
      { act: "message", text: " " },
      { act: "task", title: "", text: "" },
      { act: "request", kind: "other", name: "", reason: "" },
      {
        act: "task",
        title: "Pay",
        text: "",
        due: { date: "2027-02-30", time: null, whose: "applicant", hard: true },
      },
    ];
    for (const input of inputs)
      expect((await kofi.caller.call("bulkRuns.prepare", { ...input, studentIds })).code, input.act).toBe(
        "form/incomplete",
      );
  });
});

/** Students of the agent, of another agent, of nobody, and of the agent with a closed account. */
type Row = "own" | "others" | "nobodys" | "disabled" | "leaving";
const all: Row[] = ["own", "others", "nobodys", "disabled", "leaving"];

/** Students that each act reaches. `takeBack` covers the actor's own assignments, and an export is not a run. */
const reach: Record<Exclude<BulkAct, "invite" | "takeBack">, Record<"agent" | "admin", Row[]>> = {
  assign: { agent: ["own", "nobodys", "disabled", "leaving"], admin: all },
  import: { agent: ["own", "nobodys", "disabled", "leaving"], admin: all },
  move: { agent: ["own", "disabled", "leaving"], admin: all },
  message: { agent: ["own"], admin: ["own", "others", "nobodys"] },
  task: { agent: ["own"], admin: ["own", "others", "nobodys"] },
  request: { agent: ["own"], admin: ["own", "others", "nobodys"] },
};

describe("permissions for each act, when it is prepared and when it is carried out", () => {
  let third: Person;
  beforeAll(async () => {
    third = await person(w, "agent", "approved");
  });

  async function uploadImport({ caller }: Person, studentIds: readonly string[]): Promise<BulkRun> {
    const rows = studentIds.map((id) => `${id},${third.email}`);
    const response = await caller.request("/files/student-imports?id=Id&agent=Agent&overwrite=yes", {
      method: "POST",
      headers: { "content-type": "application/octet-stream", "x-csrf-token": "orpc" },
      body: ["Id,Agent", ...rows].join("\n"),
    });
    return await caller.api.bulkRuns.get({ id: textIn(await response.json(), "id") });
  }
  function prepare(act: keyof typeof reach, staff: Person, studentIds: string[]): Promise<BulkRun> {
    const { bulkRuns } = staff.caller.api;
    if (act === "import") return uploadImport(staff, studentIds);
    if (act === "assign") return bulkRuns.prepare({ act, studentIds, agentId: third.id });
    if (act === "move") return bulkRuns.prepare({ ...move, studentIds });
    if (act === "message") return bulkRuns.prepare({ act, studentIds, text: "Hello" });
    if (act === "task") return bulkRuns.prepare({ act, studentIds, title: "Call us", text: "" });
    return bulkRuns.prepare({ act, studentIds, kind: "cv", name: "", reason: "" });
  }

  async function students(): Promise<Record<Row, string>> {
    const { db } = w.services.database;
    const addStudent = async (agent: Person | null, status?: "disabled" | "leaving") => {
      const [id = ""] = await addStudents(w, 1, agent, "submitted");
      if (status) await db.update(user).set({ status }).where(eq(user.id, id));
      return id;
    };
    return {
      own: await addStudent(kofi),
      others: await addStudent(yaw),
      nobodys: await addStudent(null),
      disabled: await addStudent(kofi, "disabled"),
      leaving: await addStudent(kofi, "leaving"),
    };
  }

  for (const role of ["agent", "admin"] as const) {
    for (const act of keysOf(reach))
      test(`${act} by an ${role}`, async () => {
        const staff = role === "agent" ? kofi : boss;
        const rows = await students();
        const run = await prepare(act, staff, Object.values(rows));
        const { items } = await staff.caller.api.bulkRuns.items({ id: run.id });
        const allowed = all.filter((name) =>
          items.some(({ student, outcome }) => student?.id === rows[name] && outcome === null),
        );
        expect(allowed).toEqual(reach[act][role]);
        expect((await startAndFinish(staff, run)).done).toBe(allowed.length);
        if (act === "assign" || act === "import") {
          const undoing = await staff.caller.api.bulkRuns.takeBack({ id: run.id });
          expect(await finished(staff, undoing)).toMatchObject({
            done: allowed.length,
            skipped: 0,
            failed: 0,
          });
        }

        // Students whom an agent loses after the preview are left out as well.
        const later = await students();
        const second = await prepare(act, staff, Object.values(later));
        const { db } = w.services.database;
        const isAffected = inArray(user.id, Object.values(later));
        await db.update(user).set({ assignedAgentId: yaw.id }).where(isAffected);
        const after = await startAndFinish(staff, second);
        // An assignment is only carried out from the agent that the preview showed.
        const done = act === "assign" || act === "import" ? 1 : allowed.length;
        expect(after).toMatchObject({ done: role === "agent" ? 0 : done, failed: 0 });
      });

    test(`export by an ${role}`, async () => {
      const staff = role === "agent" ? kofi : boss;
      const studentIds = Object.values(await students());
      const input = { view: {}, columns: [], studentIds, identity: false, purpose: "" };
      const { url } = await staff.caller.api.students.exportLink(input);
      const table = readCsv(await (await staff.caller.request(url, {})).text());
      if (table.kind === "problem") throw new Error(table.message);
      expect(table.rows.map(({ cells }) => cells.at(-1) ?? "").toSorted()).toEqual(studentIds.toSorted());
    });
  }
});
