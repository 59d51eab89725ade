import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  applicationNotifications,
  confirmList,
  stepsOf,
  submit,
  submittedApplication,
} from "#tests/support/applications.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { audit } from "../audit/tables.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

test("an application travels from submitted to enrolled, and everyone is notified", async () => {
  const { student, agent, id, move } = await submittedApplication(w);
  const steps: [Person, string, string?][] = [
    [agent, "inReview"],
    [agent, "informationRequired", "Please send your transcript."],
    [student, "inReview", "It is uploaded now."],
    [agent, "sentToUniversity"],
    [boss, "unconditionalOffer"],
    [student, "accepted"],
    [agent, "visa"],
    [agent, "enrolled"],
  ];
  for (const [mover, to, note] of steps) {
    if (to === "sentToUniversity") await confirmList(w, student, agent, id);
    expect((await move(mover, to, note)).body).toEqual({ done: true });
  }
  const timeline = (await stepsOf(student, id)).toReversed();
  expect(timeline.map(({ from, to }) => `${from} ${to}`)).toEqual([
    "null submitted",
    "submitted inReview",
    "inReview informationRequired",
    "informationRequired inReview",
    "inReview sentToUniversity",
    "sentToUniversity unconditionalOffer",
    "unconditionalOffer accepted",
    "accepted visa",
    "visa enrolled",
  ]);
  expect(timeline[2]).toMatchObject({
    note: "Please send your transcript.",
    by: { role: "agent", name: "Ada Obi" },
  });
  expect(timeline[3]).toMatchObject({ note: "It is uploaded now.", by: { role: "student" } });
  expect(timeline[5]?.by).toEqual({ role: "admin", name: "" });
  const program = "applicationMoved MSc Data Science:";
  expect(await applicationNotifications(w, student)).toEqual([`${program} enrolled`]);
  expect(await applicationNotifications(w, agent)).toEqual([`${program} accepted`]);
  await w.mail(student.email, /^You're enrolled for MSc Data Science, Spring Intake/);
  const entries = await w.services.database.db.select().from(audit).where(eq(audit.actorId, boss.id));
  expect(entries).toContainEqual(
    expect.objectContaining({
      action: "application-moved",
      subjectId: student.id,
      detail: { application: id, from: "sentToUniversity", to: "unconditionalOffer" },
    }),
  );
});

test("an application shows the note of its newest step", async () => {
  const { student, agent, current, move } = await submittedApplication(w);
  await move(agent, "inReview");
  await move(agent, "informationRequired", " Your passport, please. ");
  expect(await current()).toMatchObject({ state: "informationRequired", note: "Your passport, please." });
  await move(student, "withdrawn");
  expect(await current()).toMatchObject({ state: "withdrawn", note: "" });
});

test("a note that is missing or too long is refused, and nothing moves", async () => {
  const { student, agent, current, move } = await submittedApplication(w);
  expect(await move(agent, "rejected", "  ")).toMatchObject({
    code: "form/incomplete",
    message: "Please enter a note.",
  });
  expect((await move(agent, "inReview", "x".repeat(1001))).code).toBe("form/incomplete");
  await move(agent, "inReview");
  await move(agent, "informationRequired", "More, please.");
  expect(await move(student, "inReview")).toMatchObject({ message: "Please enter your answer." });
  expect(await current()).toMatchObject({ version: 3 });
});

test("a step that the state does not allow is refused", async () => {
  const { student, agent, move } = await submittedApplication(w);
  for (const [mover, to] of [
    [agent, "enrolled"],
    [agent, "withdrawn"],
    [agent, "submitted"],
    [student, "inReview"],
    [student, "accepted"],
    [boss, "visa"],
  ] as const)
    expect((await move(mover, to, "note")).code).toBe("failed-precondition");
  await move(agent, "rejected", "No place left.");
  expect((await move(agent, "inReview", "Sorry.")).code).toBe("failed-precondition");
  expect((await move(boss, "inReview", "Reopened.")).status).toBe(200);
});

test("reopening beside another open application is refused", async () => {
  const { student, move, current } = await submittedApplication(w);
  await move(student, "withdrawn");
  expect((await submit(student)).status).toBe(200);
  expect(await move(boss, "inReview", "Reopened.")).toMatchObject({
    code: "already-exists",
    message: "There is another open application for this programme and intake.",
  });
  expect(await current()).toMatchObject({ state: "withdrawn", version: 2 });
});

describe("concurrent moves", () => {
  test("one move succeeds when an agent and an admin both move; the other gets a conflict", async () => {
    for (let round = 0; round < 5; round++) {
      const { student, agent, id, current, move } = await submittedApplication(w);
      const answers = await Promise.all([move(agent, "inReview", "", 1), move(boss, "deferred", "", 1)]);
      expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([null, "failed-precondition"]));
      const winner = answers[0].code === null ? "inReview" : "deferred";
      expect(await current()).toMatchObject({ state: winner, version: 2 });
      expect((await stepsOf(student, id)).map(({ to }) => to)).toEqual([winner, "submitted"]);
      expect(await applicationNotifications(w, student)).toHaveLength(1);
    }
  });

  test("one of a withdrawal and a move succeeds; the other gets a conflict", async () => {
    const { student, agent, current, move } = await submittedApplication(w);
    const answers = await Promise.all([move(student, "withdrawn", "", 1), move(agent, "inReview", "", 1)]);
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([null, "failed-precondition"]));
    expect(await current()).toMatchObject({ state: answers[0].code === null ? "withdrawn" : "inReview" });
  });

  test("an agent's move, a withdrawal and the end of the agent's access don't deadlock, and one step is taken", async () => {
    for (let round = 0; round < 5; round++) {
      const { student, agent, current, move } = await submittedApplication(w);
      const [moved, revoked, withdrawn] = await Promise.all([
        move(agent, "inReview", "", 1),
        boss.caller.call("agents.revoke", { id: agent.id }),
        move(student, "withdrawn", "", 1),
      ]);
      expect(revoked.status).toBe(200);
      expect([200, 401, 403, 404, 409]).toContain(moved.status);
      expect([200, 409]).toContain(withdrawn.status);
      const wins = [moved, withdrawn].filter(({ status }) => status === 200).length;
      expect(wins).toBe(1);
      expect(await current()).toMatchObject({ version: 2 });
    }
  });

  test("an old version is refused even when the step would be possible", async () => {
    const { agent, move } = await submittedApplication(w);
    await move(agent, "inReview");
    await move(agent, "submitted", "A mistake.");
    expect((await move(agent, "inReview", "", 1)).code).toBe("failed-precondition");
  });
});

test("an application is read with the reader's role as mover and the state from which it was ended", async () => {
  const { student, agent, id, move } = await submittedApplication(w);
  const read = ({ caller }: Pick<Person, "caller">) =>
    caller.call("applications.read", { applicationId: id });
  expect((await read(student)).body).toMatchObject({
    mover: "student",
    student: { id: student.id },
    application: { id, state: "submitted" },
    endedFrom: null,
  });
  await move(agent, "inReview");
  await move(agent, "rejected", "The programme is full.");
  expect((await read(agent)).body).toMatchObject({ mover: "agent", endedFrom: "inReview" });
  expect((await read(await person(w, "agent", "approved"))).body).toMatchObject({ mover: null });
  expect((await read(await person(w, "student", "active"))).code).toBe("not-found");
});
