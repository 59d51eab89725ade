import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { IntakeEntry, ProgrammeEntry } from "#domain/programme.ts";
import { programmeListing } from "#server/features/programmes/tables.ts";
import { mine, submit } from "#tests/support/applications.ts";
import { programmeOf, type University } from "#tests/support/catalogue.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { storeInstitution } from "#tests/support/programmes.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let leeds: University;
let admin: Person;
let api: Person["caller"]["api"]["catalogue"];
beforeAll(async () => {
  w = await wayfare();
  leeds = await storeInstitution(w);
  admin = await person(w, "admin", "active");
  api = admin.caller.api.catalogue;
});
afterAll(() => w.stop());

const start = (year: number, changes: Partial<IntakeEntry> = {}): IntakeEntry => ({
  year,
  month: 9,
  state: "open",
  deadlines: [],
  ...changes,
});
const due = (date: string) => ({ kind: "applyBy", group: null, date, time: null, hard: true }) as const;
const nursing = (changes: Partial<ProgrammeEntry> = {}) => programmeOf(w, leeds, changes);
const add = ({ caller }: Person, input: object) => caller.call("shortlist.add", input);
const itemsOf = async ({ caller }: Person) => (await caller.api.shortlist.list({})).items;
const pageOf = (slug: string) => admin.caller.api.programmes.read({ slug });

test("the programme that stays keeps its facts, and gets the starts that it lacks with their deadlines", async () => {
  const stays = await nursing({
    title: "MSc Nursing",
    award: "MSc",
    intakes: [start(2090, { state: "notYet", deadlines: [due("2090-06-01")] })],
  });
  const goes = await nursing({
    title: "Nursing (MSc)",
    award: "MA",
    sourceId: randomUUID(),
    intakes: [
      start(2090, { deadlines: [due("2090-01-01")] }),
      start(2091, { deadlines: [due("2091-06-01")] }),
    ],
  });
  const before = await api.read({ id: stays.id });
  const join = { id: goes.id, into: stays.id };
  const preview = await api.joinProgramme({ ...join, dryRun: true });
  expect(preview).toEqual({
    intakes: [{ year: 2091, month: 9 }],
    kept: [{ year: 2090, month: 9 }],
    sourceIds: [{ source: "leeds.example", sourceId: expect.any(String) }],
    shortlisted: 0,
    doubled: 0,
    applications: 0,
  });
  expect(await api.read({ id: stays.id })).toEqual(before);
  expect(await api.joinProgramme(join)).toEqual(preview);
  const { entry } = await api.read({ id: stays.id });
  expect(entry).toEqual({
    ...before.entry,
    intakes: [...before.entry.intakes, start(2091, { deadlines: [due("2091-06-01")] })],
  });
  const [row] = await w.services.database.db
    .select()
    .from(programmeListing)
    .where(eq(programmeListing.id, stays.id));
  expect(row?.starts).toBe("2090-09 2091-09");
});

test("the one that went is in no list, its address and its id lead to the one that stays, and it stays so", async () => {
  const mark = `Zyx${randomUUID().replaceAll(/[^a-z]/g, "")}`;
  const [first, second, stays] = [
    await nursing({ title: `${mark} one` }),
    await nursing({ title: `${mark} two` }),
    await nursing({ title: `${mark} three` }),
  ];
  await api.joinProgramme({ id: first.id, into: second.id });
  await api.joinProgramme({ id: second.id, into: stays.id });
  for (const { id, slug } of [first, second, stays]) {
    expect(await pageOf(slug)).toMatchObject({ id: stays.id, slug: stays.slug, removed: false });
    expect(await api.read({ id })).toMatchObject({ id: stays.id, entry: { title: `${mark} three` } });
  }
  const { programmes, missing } = await admin.caller.api.programmes.compare({
    slugs: [first.slug, stays.slug],
  });
  expect([programmes.map(({ id }) => id), missing]).toEqual([[stays.id], 0]);
  for (const show of ["all", "removed"] as const) {
    const page = await api.list({ search: mark, show });
    expect(page.programmes.map(({ id }) => id)).toEqual(show === "all" ? [stays.id] : []);
  }
  const gone = { code: "not-found" };
  await expect(api.bringBack({ id: first.id })).rejects.toMatchObject(gone);
  await expect(api.remove({ id: first.id })).rejects.toMatchObject(gone);
  await expect(api.joinProgramme({ id: first.id, into: stays.id })).rejects.toMatchObject(gone);
  await expect(api.joinProgramme({ id: stays.id, into: first.id })).rejects.toMatchObject(gone);
  const { entry, institution } = await api.read({ id: stays.id });
  await expect(
    api.save({ id: first.id, version: 2, institutionId: institution.id, entry }),
  ).rejects.toMatchObject(gone);
});

test("only two programmes of one institution are joined, into one that is in the catalogue", async () => {
  const [one, other] = [await nursing(), await nursing()];
  const elsewhere = await programmeOf(w, await storeInstitution(w, { name: "Elsewhere" }));
  await expect(api.joinProgramme({ id: one.id, into: one.id })).rejects.toMatchObject({
    code: "form/incomplete",
  });
  const failed = { code: "failed-precondition" };
  await expect(api.joinProgramme({ id: one.id, into: elsewhere.id })).rejects.toMatchObject(failed);
  await api.remove({ id: other.id });
  await expect(api.joinProgramme({ id: one.id, into: other.id })).rejects.toMatchObject(failed);
  await api.joinProgramme({ id: other.id, into: one.id });
  expect(await pageOf(other.slug)).toMatchObject({ id: one.id, removed: false });
});

test("a join that would leave too many starts is refused", async () => {
  const years = (first: number) => Array.from({ length: 20 }, (_, at) => start(first + at));
  const [one, other] = [await nursing({ intakes: years(2040) }), await nursing({ intakes: years(2060) })];
  await expect(api.joinProgramme({ id: one.id, into: other.id })).rejects.toMatchObject({
    code: "failed-precondition",
    message: "A programme can have at most 24 intakes.",
  });
});

test("shortlist items follow with their starts, and a student who has both keeps one", async () => {
  const stays = await nursing({ intakes: [start(2090)] });
  const goes = await nursing({ intakes: [start(2090), start(2091), start(2092)] });
  const [same, later, dropped, both] = await Promise.all(
    [1, 2, 3, 4].map(() => person(w, "student", "active")),
  );
  if (!same || !later || !dropped || !both) throw new Error("there are too few students");
  await add(same, { programmeId: goes.id, intakeId: goes.intakeIds[0] });
  await add(later, { programmeId: goes.id, intakeId: goes.intakeIds[1] });
  await add(dropped, { programmeId: goes.id, intakeId: goes.intakeIds[2] });
  await add(both, { programmeId: goes.id, intakeId: goes.intakeIds[1] });
  await add(both, { programmeId: stays.id });
  await programmeOf(w, leeds, { intakes: [start(2090), start(2091)] }, goes.id);
  const report = await api.joinProgramme({ id: goes.id, into: stays.id });
  expect(report).toMatchObject({ shortlisted: 3, doubled: 1 });
  const now = async (who: Person) => (await itemsOf(who)).map((item) => item.programme);
  const of = { id: stays.id, slug: stays.slug };
  expect(await now(same)).toMatchObject([{ ...of, intake: { id: stays.intakeIds[0] }, state: "open" }]);
  expect(await now(later)).toMatchObject([{ ...of, intake: { year: 2091 }, state: "open" }]);
  expect(await now(dropped)).toMatchObject([{ ...of, intake: { year: 2092 }, state: "removed" }]);
  expect(await now(both)).toMatchObject([{ ...of, intake: { year: 2091 }, state: "open" }]);
});

test("a start that the programme that stays had dropped returns with the other's state and deadlines", async () => {
  const stays = await nursing({ intakes: [start(2090), start(2091)] });
  const student = await person(w, "student", "active");
  await add(student, { programmeId: stays.id, intakeId: stays.intakeIds[1] });
  await programmeOf(w, leeds, { intakes: [start(2090)] }, stays.id);
  const goes = await nursing({
    intakes: [start(2091, { state: "notYet", deadlines: [due("2091-06-01")] })],
  });
  await api.joinProgramme({ id: goes.id, into: stays.id });
  const { entry } = await api.read({ id: stays.id });
  expect(entry.intakes[1]).toEqual(start(2091, { state: "notYet", deadlines: [due("2091-06-01")] }));
  expect(await itemsOf(student)).toMatchObject([
    { programme: { intake: { id: stays.intakeIds[1] }, state: "notYet" } },
  ]);
});

test("applications follow with their starts, and what still names the one that went means the one that stays", async () => {
  const stays = await nursing({ intakes: [start(2090)] });
  const goes = await nursing({ intakes: [start(2090), start(2091)] });
  const [student, another] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const form = {
    program: "MSc Nursing",
    country: ["GB"],
    startDate: "Fall Intake (August or September)",
    university: "University of Leeds",
    year: "2090",
    programmeId: goes.id,
    intakeId: goes.intakeIds[0],
  };
  await submit(student, form);
  const report = await api.joinProgramme({ id: goes.id, into: stays.id });
  expect(report).toMatchObject({ applications: 1 });
  const of = { programme: { id: stays.id, slug: stays.slug }, intakeId: stays.intakeIds[0] };
  expect(await mine(student)).toMatchObject([of]);
  expect((await submit(another, form)).body).toMatchObject(of);
  const added = await add(another, { programmeId: goes.id, intakeId: goes.intakeIds[1] });
  expect(added.body).toMatchObject({ programme: { id: stays.id, intake: { year: 2091 } } });
  const agent = await person(w, "agent", "approved");
  for (const intakeId of goes.intakeIds) {
    const { fits } = await agent.caller.api.students.list({ fits: { programmeId: goes.id, intakeId } });
    expect(fits).toMatchObject({ programme: { slug: stays.slug } });
    const answers = another.caller.api.programmes.answers({ programmeId: goes.id, intakeId });
    expect(await answers).toMatchObject({ judgedFor: expect.stringMatching(/^209[01]-09-01$/) });
  }
});

test("students who choose either programme while they are joined have the one that stays, once", async () => {
  for (let round = 0; round < 3; round++) {
    const [stays, goes] = [await nursing(), await nursing()];
    const students = await Promise.all([1, 2, 3, 4].map(() => person(w, "student", "active")));
    const calls = students.flatMap((student) =>
      [goes, stays].map(({ id, intakeIds }) => add(student, { programmeId: id, intakeId: intakeIds[0] })),
    );
    const joining = api.joinProgramme({ id: goes.id, into: stays.id });
    for (const { status, code } of await Promise.all(calls))
      expect([200, "already-exists"]).toContain(status === 200 ? 200 : code);
    await joining;
    for (const student of students)
      expect(await itemsOf(student)).toMatchObject([
        { programme: { id: stays.id, intake: { id: stays.intakeIds[0] } } },
      ]);
  }
});

test("of two admins who join two programmes into each other one succeeds", async () => {
  const [one, other] = [await nursing(), await nursing()];
  const second = await person(w, "admin", "active");
  const joins = await Promise.allSettled([
    api.joinProgramme({ id: one.id, into: other.id }),
    second.caller.api.catalogue.joinProgramme({ id: other.id, into: one.id }),
  ]);
  expect(joins.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const pages = [await pageOf(one.slug), await pageOf(other.slug)];
  expect(new Set(pages.map(({ id }) => id)).size).toBe(1);
});
