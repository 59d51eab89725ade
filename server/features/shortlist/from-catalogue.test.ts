import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { IntakeEntry } from "#domain/programme.ts";
import { assign } from "#tests/support/applications.ts";
import { programmeOf, type University } from "#tests/support/catalogue.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { storeInstitution } from "#tests/support/programmes.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { profile } from "../profile/tables.ts";
import { nationalityGroup, programme } from "../programmes/tables.ts";

let w: Wayfare;
let leeds: University;
let agent: Person;
beforeAll(async () => {
  w = await wayfare();
  leeds = await storeInstitution(w);
  agent = await person(w, "agent", "approved");
});
afterAll(() => w.stop());

type Item = { id: string; programme: { slug: string; state: string | null; intake: object | null } | null };
const itemsOf = async ({ caller }: Person, studentId?: string) => {
  const { body } = await caller.call("shortlist.list", { ...(studentId && { studentId }) });
  return (body as { items: Item[] }).items;
};
const statesOf = async (who: Person, studentId?: string) =>
  (await itemsOf(who, studentId)).map((item) => item.programme?.state);
const add = ({ caller }: Person, input: object) => caller.call("shortlist.add", input);
const open: IntakeEntry = { year: 2090, month: 9, state: "open", deadlines: [] };

test("a student adds an intake of a programme, with the catalogue's texts and address", async () => {
  const student = await person(w, "student", "active");
  const { id: programmeId, slug, intakeIds } = await programmeOf(w, leeds);
  const [intakeId] = intakeIds;
  const added = await add(student, { programmeId, intakeId, course: "Something else" });
  const item = {
    id: expect.any(String),
    university: "University of Leeds",
    course: "MSc Nursing",
    url: "https://leeds.example/nursing",
    programme: { id: programmeId, slug, intake: { id: intakeId, year: 2090, month: 9 }, state: "open" },
  };
  expect(added.body).toEqual(item);
  expect(await itemsOf(student)).toEqual([item]);
});

test("an unknown programme and an intake of another programme are refused, and nothing is saved", async () => {
  const student = await person(w, "student", "active");
  const [one, other] = [await programmeOf(w, leeds), await programmeOf(w, leeds)];
  const refused = [
    await add(student, { programmeId: randomUUID() }),
    await add(student, { programmeId: one.id, intakeId: other.intakeIds[0] }),
    await add(student, { programmeId: one.id, intakeId: randomUUID() }),
  ];
  expect(refused.map(({ code }) => code)).toEqual(["not-found", "not-found", "not-found"]);
  expect(await add(student, { intakeId: one.intakeIds[0] })).toMatchObject({ code: "form/incomplete" });
  expect(await itemsOf(student)).toEqual([]);
});

test("a programme is on a list only once, even for another intake or as a typed item, but two programmes are separate", async () => {
  const student = await person(w, "student", "active");
  const intakes = [open, { ...open, year: 2091 }];
  const { id: programmeId, intakeIds } = await programmeOf(w, leeds, { intakes });
  const calls = [agent, student, agent, student].map((who, at) =>
    add(who, { programmeId, intakeId: intakeIds[at % 2], studentId: student.id }),
  );
  const answers = await Promise.all(calls);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ code }) => code === "already-exists")).toHaveLength(3);
  const words = { university: "University of Leeds", course: "MSc Nursing", url: "https://other.example/n" };
  expect(await add(student, words)).toMatchObject({ code: "already-exists" });
  const partTime = await programmeOf(w, leeds, { mode: "partTime" });
  expect((await add(student, { programmeId: partTime.id })).status).toBe(200);
});

describe("the state of an item", () => {
  test("follows its intake, and the programme's best one without an intake", async () => {
    const student = await person(w, "student", "active");
    const intakes = [open, { ...open, year: 2091, state: "notYet" as const }];
    const { id, intakeIds } = await programmeOf(w, leeds, { intakes });
    const other = await programmeOf(w, leeds, { title: "LLM", url: "https://leeds.example/llm", intakes });
    await add(student, { programmeId: other.id });
    await add(student, { programmeId: id, intakeId: intakeIds[1] });
    expect(await statesOf(student)).toEqual(["notYet", "open"]);
    const closed = intakes.map((intake) => ({ ...intake, state: "closed" as const }));
    await programmeOf(w, leeds, { intakes: closed }, id);
    await programmeOf(w, leeds, { title: "LLM", intakes: [] }, other.id);
    expect(await statesOf(student)).toEqual(["closed", null]);
  });

  test("is closed once its month or its last hard deadline has come", async () => {
    const student = await person(w, "student", "active");
    const due = { kind: "applyBy" as const, group: null, date: "2025-06-30", time: null, hard: true };
    const past = await programmeOf(w, leeds, { intakes: [{ ...open, year: 2025 }] });
    const over = await programmeOf(w, leeds, { intakes: [{ ...open, deadlines: [due] }] });
    for (const { id: programmeId, intakeIds } of [past, over])
      await add(student, { programmeId, intakeId: intakeIds[0] });
    expect(await statesOf(student)).toEqual(["closed", "closed"]);
  });

  test("is removed when the intake is dropped or the programme removed, and neither can be added", async () => {
    const student = await person(w, "student", "active");
    const dropped = await programmeOf(w, leeds);
    const removed = await programmeOf(w, leeds);
    for (const { id: programmeId, intakeIds } of [dropped, removed])
      await add(student, { programmeId, intakeId: intakeIds[0] });
    await programmeOf(w, leeds, { intakes: [{ ...open, month: 10 }] }, dropped.id);
    await w.services.database.db
      .update(programme)
      .set({ removedAt: new Date() })
      .where(eq(programme.id, removed.id));
    expect(await statesOf(student)).toEqual(["removed", "removed"]);
    const another = await person(w, "student", "active");
    for (const { id: programmeId, intakeIds } of [dropped, removed])
      expect(await add(another, { programmeId, intakeId: intakeIds[0] })).toMatchObject({
        code: "form/incomplete",
        message: "This programme or this start is no longer in the catalogue.",
      });
  });

  test("depends on the student's nationality only for viewers who may see it", async () => {
    const student = await person(w, "student", "active");
    await assign(w, student, agent);
    await w.services.database.db
      .insert(nationalityGroup)
      .values({ id: randomUUID(), name: "West Africa", countries: ["NG", "GH"] });
    const text = { middleName: "", idNumber: "", passportNumber: "", addressLine1: "", addressLine2: "" };
    const address = { city: "", state: "", postalCode: "" };
    await w.services.database.db
      .insert(profile)
      .values({ userId: student.id, ...text, ...address, citizenship: "NG" })
      .onConflictDoUpdate({ target: profile.userId, set: { citizenship: "NG" } });
    const due = { kind: "applyBy" as const, time: null, hard: true };
    const deadlines = [
      { ...due, group: null, date: "2090-06-30" },
      { ...due, group: "West Africa", date: "2025-05-31" },
    ];
    const { id: programmeId, intakeIds } = await programmeOf(w, leeds, { intakes: [{ ...open, deadlines }] });
    await add(student, { programmeId, intakeId: intakeIds[0] });
    expect(await statesOf(student)).toEqual(["closed"]);
    expect(await statesOf(agent, student.id)).toEqual(["closed"]);
    expect(await statesOf(await person(w, "agent", "approved"), student.id)).toEqual(["open"]);
  });
});

test("a typed item has no programme of the catalogue", async () => {
  const student = await person(w, "student", "active");
  await add(student, { university: "Leeds", course: "MSc Nursing", url: "https://leeds.ac.uk/n" });
  expect((await itemsOf(student))[0]).toMatchObject({ programme: null });
});
