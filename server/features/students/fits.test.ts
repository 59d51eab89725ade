import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { FitsOfList, StudentRow } from "#contract/student-rows.ts";
import { fitCountsWords } from "#domain/student-fit.ts";
import { user } from "#server/features/account/tables.ts";
import { profile } from "#server/features/profile/tables.ts";
import { programmeIntake } from "#server/features/programmes/tables.ts";
import { recordQualification, recordTest, studyRecord } from "#server/features/study-record/tables.ts";
import { textIn } from "#tests/support/caller.ts";
import { assign } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { storeInstitution, storeProgrammeOf } from "#tests/support/programmes.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let programmeId: string;
let agent: Person;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
  programmeId = await storeProgrammeOf(w, await storeInstitution(w), {
    intakes: [
      { year: 2028, month: 1, state: "open", deadlines: [] },
      { year: 2029, month: 9, state: "open", deadlines: [] },
    ],
    requirementSets: [
      [
        { kind: "qualification", country: null, award: "secondary", scale: "aLevel", grade: "C" },
        { kind: "english", test: "ieltsAcademic", overall: 6.5, components: { writing: 6.5 }, years: 2 },
      ],
    ],
  });
});
beforeEach(async () => {
  agent = await person(w, "agent", "approved");
});
afterAll(() => w.stop());

type Page = { students: StudentRow[]; total: number | null; next: string | null; fits: FitsOfList | null };

async function list({ caller }: Person, fits: object = {}, view: object = {}): Promise<Page> {
  const { status, body } = await caller.call("students.list", { ...view, fits: { programmeId, ...fits } });
  expect(status).toBe(200);
  return body as Page;
}
const fitsIn = ({ students }: Page) =>
  Object.fromEntries(students.map(({ name, fit }) => [name, [fit?.outcome, fit?.reason]]));

/** Creates a named student of the agent's, optionally with a record of a grade and a writing score. */
async function student(name: string, record: { grade: string; writing?: number; takenOn?: string } | null) {
  const who = await person(w, "student", "active");
  await w.services.database.db.update(user).set({ name }).where(sql`id = ${who.id}`);
  await assign(w, who.id, agent.id);
  if (record === null) return who;
  const { grade, writing, takenOn = "2027-06-01" } = record;
  const keys = { id: randomUUID(), studentId: who.id };
  await w.services.database.db.insert(recordQualification).values({
    ...keys,
    country: "GB",
    award: "secondary",
    name: "A-levels",
    scale: "aLevel",
    grade,
    year: 2025,
  });
  if (writing !== undefined)
    await w.services.database.db
      .insert(recordTest)
      .values({ ...keys, test: "ieltsAcademic", takenOn, overall: 7, components: { writing } });
  return who;
}

test("an agent's students are listed with their outcome and the gap; the rest is counted", async () => {
  await student("Ama", { grade: "B", writing: 7 });
  await student("Ben", { grade: "B", writing: 6 });
  await student("Cem", { grade: "B" });
  await student("Dan", { grade: "E", writing: 6 });
  await student("Eve", null);
  const page = await list(agent);
  expect(fitsIn(page)).toEqual({ Ama: ["mayEnter", ""], Ben: ["gap", "writing 6.0, asked 6.5"] });
  expect(page).toMatchObject({
    total: 2,
    fits: {
      programme: { title: "MSc Nursing", start: "2028-01-01" },
      counts: { mayEnter: 1, gap: 1, notKnown: 1, no: 1, noRecord: 1 },
      more: false,
    },
  });
  expect(page.fits && fitCountsWords(page.fits.counts)).toBe(
    "1 may enter · 1 with one gap · 2 not known (1 of them without a record) · 1 may not enter",
  );
  expect(fitsIn(await list(agent, { outcome: "gap" }))).toEqual({ Ben: ["gap", "writing 6.0, asked 6.5"] });
  expect(JSON.stringify(page.fits)).not.toContain("Ben");
});

test("a list without the filter has no outcomes for a programme", async () => {
  await student("Ama", { grade: "B", writing: 7 });
  const { students, fits } = await agent.caller.api.students.list({ filter: "mine" });
  expect([students.map(({ fit }) => fit), fits]).toEqual([[undefined], null]);
});

test("an intake is judged by its own start, for which a test may be too old", async () => {
  await student("Ama", { grade: "B", writing: 7 });
  const intakes = await w.services.database.db
    .select({ id: programmeIntake.id, year: programmeIntake.year })
    .from(programmeIntake)
    .where(sql`programme_id = ${programmeId}`);
  const later = intakes.find(({ year }) => year === 2029)?.id;
  expect(fitsIn(await list(agent, { intakeId: later }))).toEqual({
    Ama: ["gap", "IELTS Academic taken on 1 June 2027, asked at most 2 years old"],
  });
});

test("the other filters and a search narrow the students that are compared", async () => {
  await student("Ama", { grade: "B", writing: 7 });
  await student("Ben", { grade: "B", writing: 6 });
  await student("Eve", null);
  const searched = await list(agent, {}, { search: "ama" });
  expect([fitsIn(searched), searched.fits?.counts.gap]).toEqual([{ Ama: ["mayEnter", ""] }, 0]);
  const without = await list(agent, {}, { situation: "noApplication" });
  expect(without.fits?.counts).toMatchObject({ mayEnter: 1, gap: 1, noRecord: 1 });
  const enrolled = await list(agent, {}, { situation: "enrolled" });
  expect([enrolled.students, enrolled.fits?.counts]).toEqual([
    [],
    { mayEnter: 0, gap: 0, notKnown: 0, no: 0, noRecord: 0 },
  ]);
});

test("only students whose papers the viewer may see are compared", async () => {
  const who = await student("Ama", { grade: "B", writing: 7 });
  const stranger = await person(w, "agent", "approved");
  expect(await list(stranger)).toMatchObject({
    students: [],
    fits: { counts: { mayEnter: 0, noRecord: 0 } },
  });
  expect(fitsIn(await list(boss, {}, { agentId: agent.id }))).toEqual({ Ama: ["mayEnter", ""] });
  await who.caller.api.students.setSharing({ shares: false });
  expect(await list(agent)).toMatchObject({ students: [], fits: { counts: { mayEnter: 0, noRecord: 0 } } });
  expect(fitsIn(await list(boss, {}, { agentId: agent.id }))).toEqual({ Ama: ["mayEnter", ""] });
});

test("an unknown programme or intake is refused", async () => {
  for (const fits of [{ programmeId: randomUUID() }, { programmeId, intakeId: randomUUID() }])
    expect((await agent.caller.call("students.list", { fits })).code).toBe("not-found");
});

test("pages of the list contain each student once, with their fit", async () => {
  for (const name of ["Ama", "Ben", "Cem"]) await student(name, { grade: "B", writing: 7 });
  const first = await list(agent, {}, { limit: 2 });
  const second = await list(agent, {}, { limit: 2, cursor: first.next });
  expect([...first.students, ...second.students].map(({ name, fit }) => [name, fit?.outcome])).toEqual([
    ["Ama", "mayEnter"],
    ["Ben", "mayEnter"],
    ["Cem", "mayEnter"],
  ]);
  expect(second.next).toBeNull();
});

test("a saved view, its count, a choice of all and a file contain the same students", async () => {
  await student("Ama", { grade: "B", writing: 7 });
  await student("Ben", { grade: "B", writing: 6 });
  await student("Dan", { grade: "E", writing: 6 });
  const view = (await agent.caller.api.savedViews.save({
    name: "Nursing",
    shared: false,
    columns: ["email"],
    view: { fits: { programmeId } },
  })) as { id: string; view: { fits?: object } };
  expect(view.view.fits).toEqual({ programmeId });
  expect(await agent.caller.api.savedViews.count({ id: view.id })).toMatchObject({ students: 2 });
  const choice = await agent.caller.api.bulkRuns.choose({ fits: { programmeId } });
  expect(choice.students.map(({ name }) => name)).toEqual(["Ama", "Ben"]);
  const link = await agent.caller.call("students.exportLink", {
    view: { fits: { programmeId } },
    columns: ["email"],
    identity: false,
    purpose: "",
  });
  const file = await agent.caller.request(textIn(link.body, "url"), { method: "GET" });
  const lines = (await file.text()).trim().split("\r\n");
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain("Fit,Gap");
  expect(lines[1]).toContain("Ama");
  expect(lines[2]).toContain('One gap,"writing 6.0, asked 6.5"');
});

test("two agents with the same shared view count their own students", async () => {
  await student("Ama", { grade: "B", writing: 7 });
  const view = await boss.caller.api.savedViews.save({
    name: `Nursing ${randomUUID()}`,
    shared: true,
    columns: ["email"],
    view: { fits: { programmeId } },
  });
  const stranger = await person(w, "agent", "approved");
  expect(await agent.caller.api.savedViews.count({ id: view.id })).toMatchObject({ students: 1 });
  expect(await stranger.caller.api.savedViews.count({ id: view.id })).toMatchObject({ students: 0 });
});

test("months of work alone count as a record", async () => {
  const who = await student("Ama", null);
  await w.services.database.db.insert(studyRecord).values({ studentId: who.id, workMonths: 3 });
  expect((await list(agent)).fits?.counts).toMatchObject({ notKnown: 1, noRecord: 0 });
});

test("a date of birth alone counts as a record, and is enough for a programme that only requires an age", async () => {
  const who = await student("Ama", null);
  await w.services.database.db.insert(profile).values({
    userId: who.id,
    dateOfBirth: "2001-05-01",
    middleName: "",
    idNumber: "",
    citizenship: "",
    passportNumber: "",
    addressLine1: "",
    addressLine2: "",
    city: "",
    state: "",
    postalCode: "",
  });
  const university = await storeInstitution(w, { name: "Open University" });
  const open = await storeProgrammeOf(w, university, {
    requirementSets: [[{ kind: "age", least: 18, most: null }]],
  });
  expect(fitsIn(await list(agent, { programmeId: open }))).toEqual({ Ama: ["mayEnter", ""] });
});
