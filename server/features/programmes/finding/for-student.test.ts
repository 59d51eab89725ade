import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { calendarDate, monthsBefore } from "#domain/calendar-date.ts";
import type { Outcome } from "#domain/outcome.ts";
import type { ProgrammeEntry } from "#domain/programme.ts";
import type { Requirement } from "#domain/requirement.ts";
import { agreement } from "#server/features/agreements/tables.ts";
import { profile } from "#server/features/profile/tables.ts";
import { nationalityGroup, programme, programmeIntake } from "#server/features/programmes/tables.ts";
import { recordTest } from "#server/features/study-record/tables.ts";
import { Caller } from "#tests/support/caller.ts";
import { storeForTest } from "#tests/support/catalogue.ts";
import { assignedStudent } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { storeInstitution, storeProgrammeOf } from "#tests/support/programmes.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let ada: Awaited<ReturnType<typeof assignedStudent>>;
let leeds: Awaited<ReturnType<typeof storeInstitution>>;
const ids: Record<string, string> = {};

const ielts = (overall: number, writing?: number): Requirement => ({
  kind: "english",
  test: "ieltsAcademic",
  overall,
  components: writing === undefined ? {} : { writing },
  years: 2,
});
const adult: Requirement = { kind: "age", least: 18, most: null };
const portfolio: Requirement = { kind: "text", text: "A portfolio" };
const september = { year: 2090, month: 9, state: "open", deadlines: [] } as const;

/** Programmes by title, with their requirement sets and the expected result for Ada's record. */
const catalogue: Record<string, { sets: Requirement[][]; outcome: Outcome; reason: string }> = {
  "A free course": {
    sets: [],
    outcome: "notKnown",
    reason: "Its entry requirements are not in the catalogue.",
  },
  "B English alone": { sets: [[ielts(6.5)]], outcome: "mayEnter", reason: "" },
  "C Writing": { sets: [[ielts(6.5, 6.5)]], outcome: "gap", reason: "writing 6.0, asked 6.5" },
  "D Age": { sets: [[ielts(6.5), adult]], outcome: "notKnown", reason: "To enter: the date of birth" },
  "E Portfolio": { sets: [[portfolio]], outcome: "notKnown", reason: "A person reads this." },
  "F Work and English": {
    sets: [[ielts(8), ielts(7.5)]],
    outcome: "no",
    reason: "overall 6.5, asked 8.0; overall 6.5, asked 7.5",
  },
  "G Two ways": { sets: [[ielts(8)], [ielts(6)]], outcome: "mayEnter", reason: "" },
};

beforeAll(async () => {
  w = await wayfare();
  ada = await assignedStudent(w);
  await w.services.database.db.insert(recordTest).values({
    id: randomUUID(),
    studentId: ada.student.id,
    test: "ieltsAcademic",
    takenOn: "2089-10-01",
    overall: 6.5,
    components: { writing: 6 },
  });
  leeds = await storeInstitution(w);
  for (const [title, { sets }] of Object.entries(catalogue))
    ids[title] = await storeProgrammeOf(w, leeds, { title, requirementSets: sets, intakes: [september] });
});
afterAll(() => w.stop());

type Row = { id: string; title: string; outcome: Outcome; reason: string };
type Page = {
  programmes: Row[];
  next: string | null;
  corrected: string | null;
  outcomes: Record<Outcome, number>;
};
async function forStudent({ caller }: Person, input: object = {}): Promise<Page> {
  const { status, body } = await caller.call("programmes.forStudent", input);
  expect(status).toBe(200);
  return body as Page;
}
const titles = ({ programmes }: Page) => programmes.map(({ title }) => title[0]).join("");

test("a student sees each programme's outcome and its reason, the best outcome first", async () => {
  const page = await forStudent(ada.student);
  expect(titles(page)).toBe("BGCADEF");
  for (const { title, outcome, reason } of page.programmes)
    expect({ title, outcome, reason }).toEqual({
      title,
      outcome: catalogue[title]?.outcome,
      reason: catalogue[title]?.reason,
    });
  expect(page.outcomes).toEqual({ mayEnter: 2, gap: 1, notKnown: 3, no: 1 });
});

test("a student can filter by outcome, sort the list, and read it page by page", async () => {
  const unknown = await forStudent(ada.student, { outcome: "notKnown", sort: "title" });
  expect(titles(unknown)).toBe("ADE");
  expect(unknown.outcomes).toMatchObject({ mayEnter: 2, notKnown: 3 });
  for (const [sort, order] of [
    ["gaps", "BGCADEF"],
    ["title", "ABCDEFG"],
    ["fee", null],
    ["deadline", null],
  ] as const) {
    let read = "";
    let cursor: string | undefined;
    do {
      const page = await forStudent(ada.student, { sort, limit: 2, cursor });
      read += titles(page);
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    if (order === null) expect(read.split("").toSorted().join("")).toBe("ABCDEFG");
    else expect(read).toBe(order);
  }
  expect(titles(await forStudent(ada.student, { search: "english" }))).toBe("BF");
});

test("a search that finds nothing is corrected, and the student sees the correction", async () => {
  const page = await forStudent(ada.student, { search: "enlgish" });
  expect([titles(page), page.corrected]).toEqual(["BF", "english"]);
  expect((await forStudent(ada.student, { search: "english" })).corrected).toBeNull();
});

test("an intake is judged for its own start", async () => {
  const deadlines = [
    { kind: "applyBy", group: null, date: "2091-08-31", time: "17:00", hard: true },
  ] as const;
  const december = { ...september, year: 2091, month: 12, deadlines };
  const id = await storeForTest(w, leeds, {
    title: "Later",
    requirementSets: [[ielts(6)]],
    intakes: [september, december],
  });
  const [now] = (await forStudent(ada.student, { search: "later" })).programmes;
  const [later] = (await forStudent(ada.student, { search: "later", intake: "2091-12" })).programmes;
  expect(now).toMatchObject({
    outcome: "mayEnter",
    nextIntake: { year: 2090, month: 9 },
    applyBy: null,
  });
  expect(later).toMatchObject({
    nextIntake: { year: 2091, month: 12 },
    applyBy: { at: "2091-08-31T16:00:00.000Z" },
    outcome: "gap",
    reason: "IELTS Academic taken on 1 October 2089, asked at most 2 years old",
  });
  const { db } = w.services.database;
  const intakes = await db.select().from(programmeIntake).where(eq(programmeIntake.programmeId, id));
  const intakeId = intakes.find(({ month }) => month === 12)?.id;
  const answers = async (input: object) => (await ada.student.caller.call("programmes.answers", input)).body;
  expect(await answers({ programmeId: id })).toMatchObject({
    judgedFor: "2090-09-01",
    outcome: "mayEnter",
    sets: [{ outcome: "mayEnter", answers: [{ kind: "met" }] }],
  });
  expect(await answers({ programmeId: id, intakeId })).toMatchObject({
    judgedFor: "2091-12-01",
    outcome: "gap",
  });
  const elsewhere = await ada.student.caller.call("programmes.answers", {
    programmeId: ids["B English alone"],
    intakeId,
  });
  expect(elsewhere.code).toBe("not-found");
  await db.update(programme).set({ removedAt: new Date() }).where(eq(programme.id, id));
  expect((await forStudent(ada.student, { search: "later" })).programmes).toEqual([]);
});

test("an answer names the student's nationality groups, and says whether the university has an agreement", async () => {
  const { db } = w.services.database;
  await db.insert(nationalityGroup).values([
    { id: randomUUID(), name: "West Africa", countries: ["NG", "GH"] },
    { id: randomUUID(), name: "Gulf", countries: ["AE"] },
  ]);
  const input = { programmeId: ids["B English alone"] };
  const answers = async () => (await ada.student.caller.call("programmes.answers", input)).body;
  expect(await answers()).toMatchObject({ groups: [], agreement: false });
  await db.insert(agreement).values({ institutionId: leeds.id });
  await db.insert(profile).values({ ...emptyProfile, userId: ada.student.id, citizenship: "nigeria" });
  expect(await answers()).toMatchObject({ groups: ["West Africa"], agreement: true });
  await db.update(profile).set({ citizenship: "GH" }).where(eq(profile.userId, ada.student.id));
  expect(await answers()).toMatchObject({ groups: ["West Africa"] });

  const applyBy = (date: string, group: string | null) =>
    ({ kind: "applyBy", group, date, time: "17:00", hard: true }) as const;
  await storeForTest(w, leeds, {
    title: "Grouped",
    intakes: [
      {
        ...september,
        deadlines: [
          applyBy("2090-06-30", null),
          applyBy("2090-05-31", "West Africa"),
          applyBy("2090-04-30", "Gulf"),
        ],
      },
    ],
  });
  const [card] = (await forStudent(ada.student, { search: "grouped" })).programmes;
  expect(card).toMatchObject({ applyBy: { at: "2090-05-31T16:00:00.000Z" }, applyByVaries: false });
  const list = Object((await new Caller(w.app).call("programmes.list", { search: "grouped" })).body);
  expect(list.programmes).toMatchObject([
    { applyBy: { at: "2090-06-30T16:00:00.000Z" }, applyByVaries: true },
  ]);
});
const emptyProfile = {
  middleName: "",
  idNumber: "",
  passportNumber: "",
  addressLine1: "",
  addressLine2: "",
  city: "",
  state: "",
  postalCode: "",
};

test("the assigned agent and admins can see a student's answers, and the student sees one entry for each of them", async () => {
  const { student, agent } = ada;
  const other = await person(w, "agent", "approved");
  const admin = await person(w, "admin", "active");
  const input = { studentId: student.id };
  const about = { ...input, programmeId: ids["B English alone"] };
  for (const who of [other, await person(w, "student", "active")]) {
    expect((await who.caller.call("programmes.forStudent", input)).code).toBe("not-found");
    expect((await who.caller.call("programmes.answers", about)).code).toBe("not-found");
  }
  expect((await agent.caller.call("programmes.forStudent")).code).toBe("not-found");
  expect((await admin.caller.call("programmes.forStudent", input)).code).toBe("look/reason-required");
  expect(titles(await forStudent(agent, { ...input, sort: "title", search: "english" }))).toBe("BF");
  expect((await agent.caller.call("programmes.answers", about)).status).toBe(200);
  await admin.caller.call("looks.giveReason", { studentId: student.id, reason: "A visa question" });
  expect((await admin.caller.call("programmes.answers", about)).status).toBe(200);
  const { body } = await student.caller.call("looks.mine", {});
  expect(body).toMatchObject({
    looks: [
      { viewer: { right: "admin" }, seen: [{ thing: "studyRecord" }], reasons: ["A visa question"] },
      { viewer: { right: "agent" }, seen: [{ thing: "studyRecord" }] },
    ],
  });
});

test("programmes that nobody has checked for 18 months come last, even by gaps and across pages", async () => {
  const staleDay = monthsBefore(calendarDate(new Date()), 19);
  const harbour = (title: string, changes: Partial<ProgrammeEntry>) =>
    storeForTest(w, leeds, { title: `Harbour ${title}`, intakes: [september], ...changes });
  await harbour("1", { requirementSets: [[ielts(6)]], checkedOn: staleDay });
  await harbour("2", { requirementSets: [[ielts(8)]], checkedOn: staleDay });
  await harbour("3", { requirementSets: [[ielts(8)]] });
  await harbour("4", { requirementSets: [[portfolio]] });
  await harbour("5", { requirementSets: [[ielts(6)]] });
  const whole = await forStudent(ada.student, { search: "harbour" });
  const read = [];
  let cursor: string | undefined;
  do {
    const page = await forStudent(ada.student, { search: "harbour", limit: 1, cursor });
    read.push(...page.programmes);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  for (const rows of [whole.programmes, read])
    expect(rows.map(({ title, outcome }) => [title, outcome])).toEqual([
      ["Harbour 5", "mayEnter"],
      ["Harbour 3", "gap"],
      ["Harbour 4", "notKnown"],
      ["Harbour 1", "mayEnter"],
      ["Harbour 2", "gap"],
    ]);
  const ofOutcome = await forStudent(ada.student, { search: "harbour", outcome: "mayEnter" });
  expect(ofOutcome.programmes.map(({ title }) => title)).toEqual(["Harbour 5", "Harbour 1"]);
});
