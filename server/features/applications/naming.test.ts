import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applicationName } from "#domain/application-notification.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { conditionalOffer } from "#tests/support/offers.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { application } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const name = "MSc Data Science, University of Leeds, Spring Intake 2031";

/** Creates an application with a university, a year and a conditional offer. */
async function namedApplication() {
  const offered = await conditionalOffer(w);
  await w.services.database.db
    .update(application)
    .set({ university: "University of Leeds", intakeYear: 2031, updatedAt: sql`now() - interval '20 days'` })
    .where(eq(application.id, offered.id));
  return offered;
}

test("an application is named with university and year wherever the student's other applications may be listed", async () => {
  const { student, agent, id: applicationId } = await namedApplication();
  const { api } = agent.caller;
  const studentId = student.id;

  await api.notes.addToApplication({ applicationId, kind: "call", text: "Called." });
  const { notes } = await api.notes.ofStudent({ studentId });
  expect(notes.map((note) => note.application && applicationName(note.application))).toEqual([name]);

  const today = await api.planner.today({});
  expect(today.quiet.entries.map(applicationName)).toEqual([name]);

  const { things } = await student.caller.api.planner.mine({});
  expect(things.map(({ title }) => title)).toEqual(
    expect.arrayContaining([`Reply to the offer: ${name}`, `Deposit: ${name}`, "IELTS 6.5 overall"]),
  );
  expect(things.map(({ application }) => application && applicationName(application))).toEqual(
    things.map(() => name),
  );

  const { students } = await api.students.list({ filter: "mine" });
  expect(students.flatMap(({ applications }) => applications.map(applicationName))).toEqual([name]);

  const move = { act: "move", from: "conditionalOffer", to: "unconditionalOffer", note: "" } as const;
  const { id } = await api.bulkRuns.prepare({ ...move, studentIds: [studentId] });
  const { items } = await api.bulkRuns.items({ id });
  expect(items.map((item) => item.application && applicationName(item.application))).toEqual([name]);

  await agent.caller.api.conversations.send({
    studentId,
    applicationId,
    key: "7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f6a11",
    text: "Hello.",
    files: [],
  });
  const [entry] = await w.services.database.db
    .select({ about: notification.about })
    .from(notification)
    .where(sql`${notification.userId} = ${studentId} and ${notification.kind} = 'messageReceived'`);
  expect(entry?.about["program"]).toBe(name);
});
