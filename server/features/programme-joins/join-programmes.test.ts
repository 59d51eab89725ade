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

test("the target keeps its facts, and receives the intakes that it lacks with their deadlines", async () => {
  const target = await nursing({
    title: "MSc Nursing",
    award: "MSc",
    intakes: [start(2090, { state: "notYet", deadlines: [due("2090-06-01")] })],
  });
  const joined = await nursing({
    title: "Nursing (MSc)",
    award: "MA",
    sourceId: randomUUID(),
    intakes: [
      start(2090, { deadlines: [due("2090-01-01")] }),
      start(2091, { deadlines: [due("2091-06-01")] }),
    ],
  });
  const before = await api.read({ id: target.id });
  const join = { id: joined.id, into: target.id };
  const preview = await api.joinProgramme({ ...join, dryRun: true });
  expect(preview).toEqual({
    intakes: [{ year: 2091, month: 9 }],
    kept: [{ year: 2090, month: 9 }],
    sourceIds: [{ source: "leeds.example", sourceId: expect.any(String) }],
    shortlisted: 0,
    doubled: 0,
    applications: 0,
  });
  expect(await api.read({ id: target.id })).toEqual(before);
  expect(await api.joinProgramme(join)).toEqual(preview);
  const { entry } = await api.read({ id: target.id });
  expect(entry).toEqual({
    ...before.entry,
    intakes: [...before.entry.intakes, start(2091, { deadlines: [due("2091-06-01")] })],
  });
  const [row] = await w.services.database.db
    .select()
    .from(programmeListing)
    .where(eq(programmeListing.id, target.id));
  expect(row?.starts).toBe("2090-09 2091-09");
});

test("a joined programme is in no list, its address and id lead to the target, and it can't be changed again", async () => {
  const mark = `Zyx${randomUUID().replaceAll(/[^a-z]/g, "")}`;
  const [first, second, target] = [
    await nursing({ title: `${mark} one` }),
    await nursing({ title: `${mark} two` }),
    await nursing({ title: `${mark} three` }),
  ];
  await api.joinProgramme({ id: first.id, into: second.id });
  await api.joinProgramme({ id: second.id, into: target.id });
  for (const { id, slug } of [first, second, target]) {
    expect(await pageOf(slug)).toMatchObject({ id: target.id, slug: target.slug, removed: false });
    expect(await api.read({ id })).toMatchObject({ id: target.id, entry: { title: `${mark} three` } });
  }
  const { programmes, missing } = await admin.caller.api.programmes.compare({
    slugs: [first.slug, target.slug],
  });
  expect([programmes.map(({ id }) => id), missing]).toEqual([[target.id], 0]);
  for (const show of ["all", "removed"] as const) {
    const page = await api.list({ search: mark, show });
    expect(page.programmes.map(({ id }) => id)).toEqual(show === "all" ? [target.id] : []);
  }
  const gone = { code: "not-found" };
  await expect(api.bringBack({ id: first.id })).rejects.toMatchObject(gone);
  await expect(api.remove({ id: first.id })).rejects.toMatchObject(gone);
  await expect(api.joinProgramme({ id: first.id, into: target.id })).rejects.toMatchObject(gone);
  await expect(api.joinProgramme({ id: target.id, into: first.id })).rejects.toMatchObject(gone);
  const { entry, institution } = await api.read({ id: target.id });
  await expect(
    api.save({ id: first.id, version: 2, institutionId: institution.id, entry }),
  ).rejects.toMatchObject(gone);
});

test("only programmes of one institution can be joined, and only into one that is in the catalogue", async () => {
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

test("a join that would lead to too many intakes is refused", async () => {
  const years = (first: number) => Array.from({ length: 20 }, (_, at) => start(first + at));
  const [one, other] = [await nursing({ intakes: years(2040) }), await nursing({ intakes: years(2060) })];
  await expect(api.joinProgramme({ id: one.id, into: other.id })).rejects.toMatchObject({
    code: "failed-precondition",
    message: "A programme can have at most 24 intakes.",
  });
});

test("shortlist items move with their intakes, and a student who has both programmes keeps one item", async () => {
  const target = await nursing({ intakes: [start(2090)] });
  const joined = await nursing({ intakes: [start(2090), start(2091), start(2092)] });
  const [same, later, dropped, both] = await Promise.all(
    [1, 2, 3, 4].map(() => person(w, "student", "active")),
  );
  if (!same || !later || !dropped || !both) throw new Error("there are too few students");
  await add(same, { programmeId: joined.id, intakeId: joined.intakeIds[0] });
  await add(later, { programmeId: joined.id, intakeId: joined.intakeIds[1] });
  await add(dropped, { programmeId: joined.id, intakeId: joined.intakeIds[2] });
  await add(both, { programmeId: joined.id, intakeId: joined.intakeIds[1] });
  await add(both, { programmeId: target.id });
  await programmeOf(w, leeds, { intakes: [start(2090), start(2091)] }, joined.id);
  const report = await api.joinProgramme({ id: joined.id, into: target.id });
  expect(report).toMatchObject({ shortlisted: 3, doubled: 1 });
  const programmesOf = async (who: Person) => (await itemsOf(who)).map((item) => item.programme);
  const expected = { id: target.id, slug: target.slug };
  expect(await programmesOf(same)).toMatchObject([
    { ...expected, intake: { id: target.intakeIds[0] }, state: "open" },
  ]);
  expect(await programmesOf(later)).toMatchObject([{ ...expected, intake: { year: 2091 }, state: "open" }]);
  expect(await programmesOf(dropped)).toMatchObject([
    { ...expected, intake: { year: 2092 }, state: "removed" },
  ]);
  expect(await programmesOf(both)).toMatchObject([{ ...expected, intake: { year: 2091 }, state: "open" }]);
});

test("an intake that the target had dropped returns with the other's state and deadlines", async () => {
  const target = await nursing({ intakes: [start(2090), start(2091)] });
  const student = await person(w, "student", "active");
  await add(student, { programmeId: target.id, intakeId: target.intakeIds[1] });
  await programmeOf(w, leeds, { intakes: [start(2090)] }, target.id);
  const joined = await nursing({
    intakes: [start(2091, { state: "notYet", deadlines: [due("2091-06-01")] })],
  });
  await api.joinProgramme({ id: joined.id, into: target.id });
  const { entry } = await api.read({ id: target.id });
  expect(entry.intakes[1]).toEqual(start(2091, { state: "notYet", deadlines: [due("2091-06-01")] }));
  expect(await itemsOf(student)).toMatchObject([
    { programme: { intake: { id: target.intakeIds[1] }, state: "notYet" } },
  ]);
});

test("applications move with their intakes, and the joined programme's id then stands for the target", async () => {
  const target = await nursing({ intakes: [start(2090)] });
  const joined = await nursing({ intakes: [start(2090), start(2091)] });
  const [student, another] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const form = {
    program: "MSc Nursing",
    country: ["GB"],
    startDate: "Fall Intake (August or September)",
    university: "University of Leeds",
    year: "2090",
    programmeId: joined.id,
    intakeId: joined.intakeIds[0],
  };
  await submit(student, form);
  const report = await api.joinProgramme({ id: joined.id, into: target.id });
  expect(report).toMatchObject({ applications: 1 });
  const expected = { programme: { id: target.id, slug: target.slug }, intakeId: target.intakeIds[0] };
  expect(await mine(student)).toMatchObject([expected]);
  expect((await submit(another, form)).body).toMatchObject(expected);
  const added = await add(another, { programmeId: joined.id, intakeId: joined.intakeIds[1] });
  expect(added.body).toMatchObject({ programme: { id: target.id, intake: { year: 2091 } } });
  const agent = await person(w, "agent", "approved");
  for (const intakeId of joined.intakeIds) {
    const { fits } = await agent.caller.api.students.list({ fits: { programmeId: joined.id, intakeId } });
    expect(fits).toMatchObject({ programme: { slug: target.slug } });
    const answers = another.caller.api.programmes.answers({ programmeId: joined.id, intakeId });
    expect(await answers).toMatchObject({ judgedFor: expect.stringMatching(/^209[01]-09-01$/) });
  }
});

test("students who choose either programme during a join have the target once", async () => {
  for (let round = 0; round < 3; round++) {
    const [target, joined] = [await nursing(), await nursing()];
    const students = await Promise.all([1, 2, 3, 4].map(() => person(w, "student", "active")));
    const calls = students.flatMap((student) =>
      [joined, target].map(({ id, intakeIds }) => add(student, { programmeId: id, intakeId: intakeIds[0] })),
    );
    const joining = api.joinProgramme({ id: joined.id, into: target.id });
    for (const { status, code } of await Promise.all(calls))
      expect([200, "already-exists"]).toContain(status === 200 ? 200 : code);
    await joining;
    for (const student of students)
      expect(await itemsOf(student)).toMatchObject([
        { programme: { id: target.id, intake: { id: target.intakeIds[0] } } },
      ]);
  }
});

test("only one of two admins who join two programmes into each other succeeds", async () => {
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
