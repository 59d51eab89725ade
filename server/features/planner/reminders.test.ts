import { eq, like } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { notificationText } from "#domain/notification.ts";
import { assign, assignedStudent } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { user } from "../account/tables.ts";
import { application } from "../applications/tables.ts";
import { notification } from "../notifications/tables.ts";
import { sendReminders } from "./reminders.ts";
import { reminder, reminderPlan } from "./tables.ts";

let w: Wayfare;
let student: Person;
let agent: Person;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());
beforeEach(async () => {
  ({ student, agent } = await assignedStudent(w));
  await student.caller.call("planner.setTimeZone", { timeZone: "Asia/Kolkata" });
});

const due = (date: string, changes: object = {}) => ({
  date,
  time: "17:00",
  zone: "Europe/London",
  whose: "institution",
  hard: false,
  ...changes,
});

async function addTask(title: string, date: string, changes: object = {}) {
  const task = { studentId: student.id, title, text: "", owner: "student", due: due(date), ...changes };
  const { body } = await agent.caller.call("planner.addTask", task);
  return (body as { id: string }).id;
}

/** Returns the rungs that were sent about a thing, in ascending order. */
async function rungsOf(thing: string): Promise<number[]> {
  const rows = await w.services.database.db.select().from(reminder).where(eq(reminder.thing, thing));
  return rows.map(({ rung }) => rung).toSorted((a, b) => a - b);
}

const remind = (moment: string) => sendReminders(w.services, new Date(moment));

/** Returns a person's reminders, oldest first. */
const remindersOf = ({ id }: Person) =>
  w.services.database.db
    .select()
    .from(notification)
    .where(eq(notification.userId, id))
    .orderBy(notification.id)
    .then((rows) => rows.filter(({ kind }) => kind.startsWith("fallsDue")));

const namesOf = (rows: Awaited<ReturnType<typeof remindersOf>>) =>
  rows.map(({ about }) => about["thing"] ?? "").toSorted((a, b) => a.localeCompare(b));

test("a student is reminded at nine local time on each rung, and three times once the task is overdue", async () => {
  const thing = `task:${await addTask("Pay the deposit", "2031-08-12")}`;
  await remind("2031-07-29T03:29:59Z");
  expect(await rungsOf(thing)).toEqual([]);
  const ladder = [
    ["2031-07-29T03:30:00Z", "in 14 days"],
    ["2031-08-05T03:30:00Z", "in 7 days"],
    ["2031-08-09T03:30:00Z", "in 3 days"],
    ["2031-08-11T03:30:00Z", "tomorrow"],
    ["2031-08-12T03:30:00Z", "today"],
    ["2031-08-13T03:30:00Z", "overdue since yesterday"],
    ["2031-08-20T03:30:00Z", "overdue by 8 days"],
    ["2031-08-27T03:30:00Z", "overdue by 15 days"],
  ] as const;
  for (const [moment, when] of ladder) {
    await remind(moment);
    const [latest] = (await remindersOf(student)).slice(-1);
    expect(latest?.about).toMatchObject({ thing: "Pay the deposit", when });
  }
  expect((await remindersOf(student)).at(0)?.about["due"]).toBe(
    "17:00 on 12 August in London; 21:30 your time",
  );
  await remind("2031-12-01T00:00:00Z");
  expect(await rungsOf(thing)).toEqual([-14, -7, -3, -1, 0, 1, 8, 15]);
  const rows = await w.services.database.db.select().from(reminderPlan).where(eq(reminderPlan.thing, thing));
  expect(rows).toEqual([]);
});

test("a day's reminders share one mail, and those of things due within a day share another", async () => {
  await addTask("Book a flight", "2031-08-14");
  await addTask("Find a room", "2031-08-18");
  await addTask("Pay the deposit", "2031-08-11");
  await remind("2031-08-11T03:30:00Z");
  const mails = Map.groupBy(await remindersOf(student), ({ mailId }) => mailId);
  expect([...mails.values()].map((rows) => namesOf(rows))).toEqual(
    expect.arrayContaining([["Book a flight", "Find a room"], ["Pay the deposit"]]),
  );
  expect(mails.size).toBe(2);
});

test("a day's reminders are mailed on the morning after an outage that ended in the afternoon", async () => {
  await addTask("Book a flight", "2031-09-17");
  await addTask("Find a room", "2031-09-25");
  await remind("2031-09-10T08:30:00Z");
  await remind("2031-09-11T03:30:00Z");
  const mailIds = (await remindersOf(student)).map(({ mailId }) => mailId);
  expect(namesOf(await remindersOf(student))).toEqual(["Book a flight", "Find a room"]);
  expect(mailIds).not.toContain(null);
});

test("a change of time zone leads to a second mail only on another day", async () => {
  const moveTo = (timeZone: string) => student.caller.call("planner.setTimeZone", { timeZone });
  const inLondon = { time: "20:00" };
  await addTask("Book a flight", "2031-10-17");
  await addTask("Find a room", "2031-10-24", { due: due("2031-10-24", inLondon) });
  await remind("2031-10-10T03:30:00Z");
  // In London it is still the same day, but the room is due one day earlier than in India.
  await moveTo("Europe/London");
  await remind("2031-10-10T08:00:00Z");
  await addTask("Pack", "2031-10-24", { due: due("2031-10-24", inLondon) });
  await moveTo("Pacific/Auckland");
  await remind("2031-10-10T20:00:00Z");
  const mailed = (await remindersOf(student)).map(({ about, mailId }) => [about["thing"], mailId !== null]);
  expect(Object.fromEntries(mailed)).toEqual({ "Book a flight": true, "Find a room": false, Pack: true });
});

test("two concurrent nodes remind everyone once, and a node that dies midway leaves nothing half done", async () => {
  const taskIds = await Promise.all(
    Array.from({ length: 12 }, (_, at) => addTask(`Task ${at}`, "2032-03-10")),
  );
  const other = await wayfare({ on: w.address });
  // A node whose transaction fails after the rows were inserted.
  const dying = {
    ...w.services,
    live: {
      ...w.services.live,
      publishTo: async () => {
        throw new Error("the node died");
      },
    },
  };
  const morning = new Date("2032-03-03T03:30:00Z");
  await expect(sendReminders(dying, morning)).rejects.toThrow("the node died");
  expect(await remindersOf(student)).toEqual([]);
  await Promise.all([sendReminders(w.services, morning), sendReminders(other.services, morning)]);
  await sendReminders(other.services, morning);
  await other.stop();
  const rows = await remindersOf(student);
  expect(rows).toHaveLength(12);
  expect(new Set(rows.map(({ mailId }) => mailId)).size).toBe(1);
  for (const id of taskIds) expect((await rungsOf(`task:${id}`)).length).toBeGreaterThan(0);
  const reminders = await w.services.database.db
    .select()
    .from(reminder)
    .where(eq(reminder.userId, student.id));
  expect(new Set(reminders.map(({ thing, rung }) => `${thing} ${rung}`)).size).toBe(reminders.length);
});

test("a moved deadline is scheduled again, without the rungs that were already sent", async () => {
  const id = await addTask("Send the form", "2033-05-20");
  await remind("2033-05-13T03:30:00Z");
  expect(await rungsOf(`task:${id}`)).toEqual([-14, -7]);
  const change = { taskId: id, version: 1, title: "Send the form", text: "", due: due("2033-06-20") };
  expect((await agent.caller.call("planner.changeTask", change)).body).toEqual({ done: true });
  await remind("2033-06-13T03:30:00Z");
  expect((await remindersOf(student)).length).toBe(1);
  await remind("2033-06-17T03:30:00Z");
  expect(await rungsOf(`task:${id}`)).toEqual([-14, -7, -3]);
});

test("an edit that keeps the deadline does not drop a reminder that is due just then", async () => {
  const inTwoDays = new Date(Date.now() + 2 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const id = await addTask("Send the form", inTwoDays);
  // Makes the task a month old, so that its reminder three days before the deadline is due by now.
  const { db } = w.services.database;
  await db
    .update(reminderPlan)
    .set({ since: new Date(Date.now() - 30 * 24 * 60 * 60 * 1000) })
    .where(eq(reminderPlan.thing, `task:${id}`));
  const change = { taskId: id, version: 1, title: "Send the long form", text: "", due: due(inTwoDays) };
  expect((await agent.caller.call("planner.changeTask", change)).body).toEqual({ done: true });
  await sendReminders(w.services);
  expect(await rungsOf(`task:${id}`)).toContain(-3);
});

test("rungs that are past when a task is made are skipped", async () => {
  const tomorrow = new Date(Date.now() + 36 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const id = await addTask("Call the embassy", tomorrow);
  await sendReminders(w.services);
  expect(await rungsOf(`task:${id}`)).toEqual([]);
});

test("nobody is reminded of a thing that is done, ended or muted, or that belongs to a disabled account", async () => {
  const [done, ended, soft, hard, plain] = [
    await addTask("Done", "2034-01-20"),
    "ended",
    await addTask("Soft", "2034-01-20"),
    await addTask("Hard", "2034-01-20", { due: due("2034-01-20", { hard: true }) }),
    await addTask("Plain", "2034-01-20"),
  ];
  const { db } = w.services.database;
  await db.insert(application).values({
    id: `ended-${student.id}`,
    studentId: student.id,
    program: ended,
    highestStudyLevel: "Postgraduate",
    countryCodes: ["GB"],
    startDate: "Spring Intake (January)",
    additionalInfo: "",
    state: "inReview",
  });
  const ofEnded = await addTask("Of an ended application", "2034-01-20", {
    applicationId: `ended-${student.id}`,
  });
  await student.caller.call("planner.moveTask", { taskId: done, version: 1, to: "done", note: "" });
  await student.caller.call("planner.mute", { thing: `task:${soft}`, muted: true });
  const refused = await student.caller.call("planner.mute", { thing: `task:${hard}`, muted: true });
  expect(refused.code).toBe("failed-precondition");
  await db
    .update(application)
    .set({ state: "withdrawn" })
    .where(like(application.id, `ended-${student.id}`));
  await remind("2034-01-06T03:30:00Z");
  const remindedOf = async () => namesOf(await remindersOf(student));
  expect(await remindedOf()).toEqual(["Hard", "Plain"]);

  await db
    .update(application)
    .set({ state: "inReview" })
    .where(like(application.id, `ended-${student.id}`));
  await remind("2034-01-13T03:30:00Z");
  expect(await rungsOf(`task:${ofEnded}`)).toContain(-7);

  await db.update(user).set({ status: "disabled" }).where(eq(user.id, student.id));
  await remind("2034-01-17T03:30:00Z");
  expect(await rungsOf(`task:${plain}`)).not.toContain(-3);
  await db.update(user).set({ status: "active" }).where(eq(user.id, student.id));
  await remind("2034-01-19T03:30:00Z");
  expect(await rungsOf(`task:${plain}`)).toContain(-1);
});

test("a paused student gets no reminders until the pause ends, and then only later ones", async () => {
  const day = new Date(Date.now() + 9 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const lastDay = new Date(Date.now() + 5 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const id = await addTask("Rest", day);
  const nine = (date: string, days: number) =>
    new Date(Date.parse(`${date}T03:30:00Z`) + days * 24 * 60 * 60 * 1000).toISOString();
  expect((await agent.caller.call("planner.pause", { studentId: student.id, lastDay })).body).toEqual({
    done: true,
  });
  await remind(nine(day, -7));
  expect(await rungsOf(`task:${id}`)).toEqual([]);
  await remind(nine(day, -3));
  expect(await rungsOf(`task:${id}`)).toEqual([-3]);
});

test("an agent's task reminds the current agent at nine local time", async () => {
  const id = await addTask("Call the university", "2035-02-20", { owner: "agent" });
  const next = await person(w, "agent", "approved");
  await next.caller.call("planner.setTimeZone", { timeZone: "America/New_York" });
  await sendReminders(w.services, new Date("2035-02-01T00:00:00Z"));
  await assign(w, student.id, next.id);
  await remind("2035-02-06T13:59:00Z");
  expect(await rungsOf(`task:${id}`)).toEqual([]);
  await remind("2035-02-06T14:00:00Z");
  expect(await rungsOf(`task:${id}`)).toEqual([-14]);
  expect((await remindersOf(next)).map(({ about }) => about["student"])).toEqual(["Ada Obi"]);
  expect(await remindersOf(agent)).toEqual([]);
});

test("a new agent is reminded from the next rung on, but not of the rungs that the former agent received", async () => {
  const id = await addTask("Call the university", "2036-02-20", { owner: "agent" });
  await remind("2036-02-13T12:00:00Z");
  expect(await rungsOf(`task:${id}`)).toEqual([-14, -7]);
  const next = await person(w, "agent", "approved");
  await assign(w, student.id, next.id);
  await remind("2036-02-14T12:00:00Z");
  expect(await remindersOf(next)).toEqual([]);
  await remind("2036-02-17T12:00:00Z");
  expect((await remindersOf(next)).map(({ about }) => about["when"])).toEqual(["in 3 days"]);
  expect(await rungsOf(`task:${id}`)).toEqual([-14, -7, -3]);
});

test("the texts of a reminder, a request and a new task say what happens after the deadline", async () => {
  const soon = new Date(Date.now() + 5 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  await addTask("Hard", soon, { due: due(soon, { hard: true }) });
  await addTask("Soft", soon);
  await agent.caller.call("planner.askFor", {
    studentId: student.id,
    requests: [{ kind: "other", name: "Visa form", reason: "", due: due(soon, { hard: true }) }],
  });
  await remind(new Date(Date.parse(`${soon}T04:00:00Z`) - 3 * 24 * 60 * 60 * 1000).toISOString());
  const { entries } = await student.caller.api.notifications.list({});
  const texts = entries.map(({ kind, about }) => notificationText(kind, about));
  const hard =
    /^(New task: Hard|Please send: Visa form|Due in 3 days: (Hard|Visa form))\. .* Not taken after this\.$/;
  const soft = /^(New task|Due in 3 days): Soft\. .* If you need longer, ask\.$/;
  expect(texts.filter((text) => hard.test(text))).toHaveLength(4);
  expect(texts.filter((text) => soft.test(text))).toHaveLength(2);
});
