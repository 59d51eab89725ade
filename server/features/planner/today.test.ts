import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Today } from "#contract/planned-work.ts";
import { submit } from "#tests/support/applications.ts";
import { assignedStudent, upload } from "#tests/support/documents.ts";
import { fullProfile, type Person, person } from "#tests/support/factories.ts";
import { conditionalOffer, inLondon } from "#tests/support/offers.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { application } from "../applications/tables.ts";
import { pause, request, task } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const todayOf = async ({ caller }: Person) => (await caller.call("planner.today")).body as Today;
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 60 * 60 * 1000);

test("an agent's day lists overdue things, files to review, quiet applications and short passports of their own students", async () => {
  const { student, agent } = await assignedStudent(w);
  const stranger = await person(w, "agent", "approved");
  const due = { time: null, zone: "UTC", whose: "institution", hard: false };
  const add = async (title: string, hours: number) => {
    const { body } = await agent.caller.call("planner.addTask", {
      studentId: student.id,
      title,
      text: "",
      owner: "student",
      due: { ...due, date: "2031-08-12" },
    });
    await w.services.database.db
      .update(task)
      .set({ dueAt: hoursFromNow(hours) })
      .where(eq(task.id, (body as { id: string }).id));
  };
  await add("Late", -30);
  await add("Next month", 30 * 24);
  await upload(student, { kind: "cv" });
  const { body } = await agent.caller.call("planner.askFor", {
    studentId: student.id,
    requests: [{ kind: "other", name: "Bank statement", reason: "" }],
  });
  const [id = ""] = (body as { ids: string[] }).ids;
  await w.services.database.db
    .update(request)
    .set({ state: "supplied", suppliedAt: new Date() })
    .where(eq(request.id, id));
  await submit(student);
  const fortnight = hoursFromNow(-15 * 24);
  await w.services.database.db
    .update(application)
    .set({ updatedAt: fortnight })
    .where(eq(application.studentId, student.id));
  const profile = {
    ...fullProfile,
    passportExpiry: hoursFromNow(40 * 24)
      .toISOString()
      .slice(0, 10),
  };
  expect((await student.caller.call("profile.save", { version: 0, profile })).status).toBe(200);

  const today = await todayOf(agent);
  expect(today.overdue).toMatchObject({ entries: [{ title: "Late", owner: "student" }], total: 1 });
  expect(today.dueToday.total).toBe(0);
  expect(today.review.entries).toMatchObject([
    { student: { id: student.id }, documents: ["CV", "Bank statement"] },
  ]);
  expect(today.quiet).toMatchObject({ entries: [{ program: "MSc Data Science" }], total: 1 });
  expect(today.passports).toMatchObject({ entries: [{ student: { id: student.id } }], total: 1 });
  expect(JSON.stringify(today)).not.toContain(profile.passportExpiry);
  const others = await todayOf(stranger);
  expect(Object.values(others).map(({ total }) => total)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
});

test("a passport is checked against the year of the intake, if that is given", async () => {
  const { student, agent } = await assignedStudent(w);
  const year = new Date().getUTCFullYear();
  // Long enough for a course that begins with the next intake, and too short for one three years later.
  const profile = { ...fullProfile, passportExpiry: `${year + 3}-06-30` };
  expect((await student.caller.call("profile.save", { version: 0, profile })).status).toBe(200);
  await submit(student);
  expect((await todayOf(agent)).passports.total).toBe(0);
  await submit(student, { year: String(year + 3) });
  expect((await todayOf(agent)).passports.entries).toMatchObject([{ year: year + 3 }]);
});

test("a passport must be valid until six months after the course, to the day", async () => {
  const { student, agent } = await assignedStudent(w);
  const year = new Date().getUTCFullYear() + 2;
  // The course ends a year after its intake in January, so the passport must be valid until the first of July.
  await submit(student, { startDate: "Spring Intake (January)", year: String(year) });
  const limits = [
    { day: `${year + 1}-06-30`, total: 1 },
    { day: `${year + 1}-07-01`, total: 0 },
    { day: `${year + 1}-07-02`, total: 0 },
  ];
  for (const [version, { day, total }] of limits.entries()) {
    const profile = { ...fullProfile, passportExpiry: day };
    expect((await student.caller.call("profile.save", { version, profile })).status).toBe(200);
    expect([day, (await todayOf(agent)).passports.total]).toEqual([day, total]);
  }
});

test("a task that falls due before the agent's own midnight is due today", async () => {
  const { student, agent } = await assignedStudent(w);
  await agent.caller.call("planner.setTimeZone", { timeZone: "Pacific/Kiritimati" });
  const midnight = new Date(
    Math.ceil((Date.now() + 14 * 3_600_000) / 86_400_000) * 86_400_000 - 14 * 3_600_000,
  );
  for (const [title, offset] of [
    ["Before", -1000],
    ["After", 1000],
  ] as const) {
    const { body } = await agent.caller.call("planner.addTask", {
      studentId: student.id,
      title,
      text: "",
      owner: "agent",
      due: { date: "2031-08-12", time: null, zone: "UTC", whose: "institution", hard: false },
    });
    await w.services.database.db
      .update(task)
      .set({ dueAt: new Date(midnight.getTime() + offset) })
      .where(eq(task.id, (body as { id: string }).id));
  }
  const { overdue, dueToday } = await todayOf(agent);
  expect([...overdue.entries, ...dueToday.entries].map(({ title }) => title)).toEqual(["Before"]);
});

test("the agent's day lists replies to offers that are due within seven days, after what is due today", async () => {
  const { agent, save, id, student } = await conditionalOffer(w);
  const inDays = (days: number) => ({
    ...inLondon(
      hoursFromNow(days * 24)
        .toISOString()
        .slice(0, 10),
    ),
    zone: "UTC",
  });
  const rows = async (days: number) => {
    await save(agent, { conditions: [], deposit: null, replyBy: inDays(days) });
    const { dueToday, replies } = await todayOf(agent);
    return [dueToday, replies].map(({ entries }) => entries);
  };
  const reply = { kind: "offer", applicationId: id, student: { id: student.id } };
  expect(await rows(0)).toMatchObject([[reply], []]);
  expect(await rows(1)).toMatchObject([[], [reply]]);
  expect(await rows(7)).toMatchObject([[], [reply]]);
  expect(await rows(8)).toEqual([[], []]);
});

test("the agent's day lists a student whose pause has ended automatically", async () => {
  const { student, agent } = await assignedStudent(w);
  const lastDay = hoursFromNow(48).toISOString().slice(0, 10);
  await agent.caller.call("planner.pause", { studentId: student.id, lastDay });
  expect(await todayOf(agent)).toMatchObject({ paused: { total: 1 }, resumed: { total: 0 } });
  await w.services.database.db
    .update(pause)
    .set({ endsAt: hoursFromNow(-1) })
    .where(eq(pause.studentId, student.id));
  expect(await todayOf(agent)).toMatchObject({ paused: { total: 0 }, resumed: { total: 1 } });
});

test("papers that a student does not share with the agent are not in the agent's day", async () => {
  const { student, agent } = await assignedStudent(w);
  await upload(student, { kind: "cv" });
  expect((await todayOf(agent)).review.total).toBe(1);
  await student.caller.call("students.setSharing", { shares: false });
  expect((await todayOf(agent)).review.total).toBe(0);
});
