import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ProgrammeCard, ProgrammeCounts, ProgrammePage } from "#contract/programmes.ts";
import { exchangeRate, intakeDeadline, programmeIntake } from "#server/features/programmes/tables.ts";
import { Caller } from "#tests/support/caller.ts";
import { storeForTest } from "#tests/support/catalogue.ts";
import { storeInstitution, storeProgrammeOf } from "#tests/support/programmes.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let visitor: Caller;
const tuition = (amount: number, currency: "GBP" | "KWD" = "GBP") =>
  [
    { kind: "tuition", amount, currency, per: "year", academicYear: 2090, audience: "international" },
  ] as const;
const applyBy = (date: string) =>
  [{ kind: "applyBy", group: null, date, time: "17:00", hard: true }] as const;

beforeAll(async () => {
  w = await wayfare();
  visitor = new Caller(w.app);
  await w.services.database.db
    .insert(exchangeRate)
    .values({ day: "2026-01-01", currency: "GBP", perRand: "0.04" });
  const leeds = await storeInstitution(w);
  const toronto = await storeInstitution(w, { name: "Lakeside College", country: "CA", place: "Toronto" });
  await storeProgrammeOf(w, leeds, { title: "MSc Nursing", fees: tuition(2_000_000) });
  await storeProgrammeOf(w, leeds, {
    title: "BSc Zoology",
    level: "Undergraduate",
    field: "sciences",
    fees: tuition(1_000_000),
    intakes: [
      { year: 2090, month: 9, state: "closed", deadlines: [] },
      { year: 2091, month: 1, state: "notYet", deadlines: applyBy("2090-11-01") },
    ],
  });
  await storeProgrammeOf(w, toronto, { title: "Advanced Welding", field: "engineering", intakes: [] });
  await storeProgrammeOf(w, toronto, {
    title: "Accounting",
    field: "business",
    checkedOn: "2020-01-01",
    fees: tuition(5_000_000, "KWD"),
    intakes: [{ year: 2090, month: 9, state: "open", deadlines: applyBy("2090-05-01") }],
  });
});
afterAll(() => w.stop());

type Page = { programmes: ProgrammeCard[]; next: string | null; corrected: string | null };
async function list(input: object = {}): Promise<Page> {
  const { status, body } = await visitor.call("programmes.list", input);
  expect(status).toBe(200);
  return body as Page;
}
const titles = async (input: object = {}) => (await list(input)).programmes.map(({ title }) => title);
async function counts(input: object = {}): Promise<ProgrammeCounts> {
  const { status, body } = await visitor.call("programmes.counts", input);
  expect(status).toBe(200);
  return body as ProgrammeCounts;
}

test("a list shows programmes that nobody has checked for long last, in each order", async () => {
  expect(await titles()).toEqual(["Advanced Welding", "BSc Zoology", "MSc Nursing", "Accounting"]);
  expect(await titles({ sort: "fee" })).toEqual([
    "BSc Zoology",
    "MSc Nursing",
    "Advanced Welding",
    "Accounting",
  ]);
  const [first, , , last] = await titles({ sort: "deadline" });
  expect([first, last]).toEqual(["BSc Zoology", "Accounting"]);
});

test("a list can be continued after each of its programmes", async () => {
  for (const sort of ["title", "fee", "deadline"]) {
    const all = await titles({ sort });
    const inPages: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ sort, limit: 1, cursor });
      inPages.push(...page.programmes.map(({ title }) => title));
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    expect(inPages).toEqual(all);
    const searched = await list({ sort, limit: 1, search: "college" });
    expect(await titles({ sort, search: "college", cursor: searched.next ?? "" })).toHaveLength(1);
  }
  expect((await visitor.call("programmes.list", { cursor: "x" })).code).toBe("invalid-argument");
});

test("a card shows the next intake, its deadline, and the tuition as published and in rand", async () => {
  const { programmes } = await list({ search: "zoology" });
  expect(programmes).toMatchObject([
    {
      institution: { name: "University of Leeds", country: "GB", place: "Leeds" },
      tuition: { amount: 1_000_000, currency: "GBP" },
      aboutRand: 25_000_000,
      nextIntake: { year: 2091, month: 1 },
      applyBy: { at: "2090-11-01T17:00:00.000Z", zone: "Europe/London", hard: true },
      sample: false,
    },
  ]);
  expect((await list({ search: "welding" })).programmes).toMatchObject([
    { tuition: null, aboutRand: null, nextIntake: null, applyBy: null },
  ]);
  expect((await list({ search: "accounting" })).programmes).toMatchObject([
    { tuition: { amount: 5_000_000, currency: "KWD" }, aboutRand: null },
  ]);
});

test("a search finds words of title, institution, place and field, corrects the spelling, and matches prefixes", async () => {
  expect(await titles({ search: "leeds nursing" })).toEqual(["MSc Nursing"]);
  expect(await titles({ search: "toronto" })).toEqual(["Advanced Welding", "Accounting"]);
  expect(await titles({ search: "manufacturing" })).toEqual(["Advanced Welding"]);
  expect(await titles({ search: "zool" })).toEqual(["BSc Zoology"]);
  expect(await titles({ search: "the" })).toHaveLength(4);
  expect(await list({ search: "zoolgoy" })).toMatchObject({
    corrected: "zoology",
    programmes: [{ title: "BSc Zoology" }],
  });
  expect(await counts({ search: "zoolgoy" })).toMatchObject({ total: 1 });
});

test("filters narrow a list, but keep programmes with an unknown fee", async () => {
  expect(await titles({ country: "CA" })).toEqual(["Advanced Welding", "Accounting"]);
  expect(await titles({ level: "Undergraduate" })).toEqual(["BSc Zoology"]);
  expect(await titles({ intake: "2090-09" })).toEqual(["MSc Nursing", "Accounting"]);
  expect(await titles({ intake: "2091-01", country: "GB" })).toEqual(["BSc Zoology"]);
  expect(await titles({ feeUpTo: 30_000_000 })).toEqual(["Advanced Welding", "BSc Zoology", "Accounting"]);
  expect(await titles({ search: "university", feeUpTo: 30_000_000 })).toEqual(["BSc Zoology"]);
});

test("counts say how many programmes each choice would leave, together with the other filters", async () => {
  expect(await counts({ country: "GB" })).toEqual({
    total: 2,
    country: { GB: 2, CA: 2 },
    level: { Postgraduate: 1, Undergraduate: 1 },
    field: { health: 1, sciences: 1 },
    language: { en: 2 },
    mode: { fullTime: 2 },
    intake: { "2090-09": 1, "2091-01": 1 },
    unknownFee: 0,
    without: {},
  });
  // With several filters, each choice of one is counted together with the others.
  const several = { country: "GB", level: "Postgraduate", field: "health" };
  expect(await counts(several)).toMatchObject({
    total: (await titles(several)).length,
    country: { GB: (await titles(several)).length },
    level: { Postgraduate: 1 },
    field: { health: 1 },
  });
  const two = { level: "Undergraduate", field: "sciences" };
  const { country, level, field } = await counts(two);
  for (const [filter, choices] of Object.entries({ country, level, field }))
    for (const [choice, count] of Object.entries(choices))
      expect(await titles({ ...two, [filter]: choice }), choice).toHaveLength(count);
  expect(await counts({ feeUpTo: 30_000_000 })).toMatchObject({ total: 3, unknownFee: 2 });
  expect(await counts({ intake: "2090-09", search: "toronto" })).toMatchObject({
    total: 1,
    intake: { "2090-09": 1 },
    country: { CA: 1 },
  });
});

test("an empty list says how many programmes it would have without each of its filters", async () => {
  const input = { search: "nursing", country: "CA", intake: "2090-09", feeUpTo: 60_000_000 };
  expect(await titles(input)).toEqual([]);
  expect(await counts(input)).toMatchObject({
    total: 0,
    without: { country: 1, intake: 0, feeUpTo: 0, search: 1 },
  });
  for (const [filter, count] of Object.entries((await counts(input)).without))
    expect(await titles({ ...input, [filter]: undefined }), filter).toHaveLength(count);
});

test("names of institutions are suggested by any part of the name", async () => {
  const names = async (input: object) => (await visitor.call("programmes.institutions", input)).body;
  expect(await names({ search: "lakesi" })).toEqual({ names: ["Lakeside College"] });
  // Its name is in the list that ships with Wayfare too.
  expect(await names({ search: "of leeds", country: "GB" })).toEqual({ names: ["University of Leeds"] });
  expect(await names({ search: "leeds", country: "CA" })).toEqual({ names: [] });
  // The catalogue's come first, then those that only the list has, 20 in all.
  expect(await names({ search: "universite de montreal" })).toEqual({
    names: expect.arrayContaining(["Université de Montréal"]),
  });
  const { names: many } = await visitor.api.programmes.institutions({ search: "university of l" });
  expect(many[0]).toBe("University of Leeds");
  expect([many.length, new Set(many).size]).toEqual([20, 20]);
});

test("a programme is read by its slug, and several are compared in the order of their slugs", async () => {
  const { programmes } = await list();
  const slugs = programmes.map(({ slug }) => slug).toReversed();
  const compared = await visitor.call("programmes.compare", { slugs: [...slugs.slice(0, 3), "nothing"] });
  expect(compared.body).toMatchObject({
    programmes: slugs.slice(0, 3).map((slug) => ({ slug })),
    missing: 1,
  });
  const read = await visitor.call("programmes.read", { slug: slugs[1] });
  expect(read.body).toMatchObject({
    title: "MSc Nursing",
    removed: false,
    rates: [{ currency: "GBP", day: "2026-01-01", perRand: "0.0400000000" }],
  });
  expect((await visitor.call("programmes.read", { slug: "nothing" })).code).toBe("not-found");
  expect((await visitor.call("programmes.compare", { slugs: [...slugs, "a"] })).status).toBe(400);
});

test("an intake whose hard deadline has passed is not the next intake", async () => {
  const harbour = await storeInstitution(w, { name: "Harbour College" });
  await storeForTest(w, harbour, {
    title: "Navigation",
    intakes: [
      { year: 2090, month: 9, state: "open", deadlines: applyBy("2026-01-01") },
      { year: 2091, month: 1, state: "open", deadlines: [] },
    ],
  });
  const [card] = (await list({ search: "navigation" })).programmes;
  expect(card?.nextIntake).toEqual({ year: 2091, month: 1 });
  expect((await counts({ search: "navigation" })).intake).toEqual({ "2091-01": 1 });
  const { body } = await visitor.call("programmes.read", { slug: card?.slug ?? "" });
  const { intakes, nextIntakeId } = body as ProgrammePage;
  expect(intakes.find(({ id }) => id === nextIntakeId)).toMatchObject({ year: 2091, month: 1 });
});

test("a card shows the intake that is filtered by, with its deadline", async () => {
  const pilots = await storeInstitution(w, { name: "Pilots' College", country: "IE" });
  const id = await storeForTest(w, pilots, {
    title: "Gliding",
    intakes: [
      { year: 2092, month: 9, state: "open", deadlines: applyBy("2092-05-01") },
      { year: 2092, month: 12, state: "open", deadlines: applyBy("2091-08-31") },
    ],
  });
  for (const words of [{}, { search: "gliding" }])
    expect((await list({ ...words, intake: "2092-12" })).programmes).toMatchObject([
      { nextIntake: { year: 2092, month: 12 }, applyBy: { at: "2091-08-31T16:00:00.000Z" } },
    ]);
  expect((await list({ search: "gliding" })).programmes).toMatchObject([
    { nextIntake: { year: 2092, month: 9 } },
  ]);
  // An intake stays in lists until the night after its deadline, and cards still show it.
  const { db } = w.services.database;
  const december = db
    .select({ id: programmeIntake.id })
    .from(programmeIntake)
    .where(and(eq(programmeIntake.programmeId, id), eq(programmeIntake.month, 12)));
  await db
    .update(intakeDeadline)
    .set({ dueAt: new Date("2026-01-01T00:00:00Z") })
    .where(inArray(intakeDeadline.intakeId, december));
  expect((await list({ intake: "2092-12" })).programmes).toMatchObject([
    { nextIntake: { year: 2092, month: 12 }, applyBy: { at: "2026-01-01T00:00:00.000Z" } },
  ]);
});

test("a card shows the newest tuition for the whole programme if there is none per year", async () => {
  const music = await storeInstitution(w, { name: "Music College" });
  const [yearly] = tuition(3);
  const whole = { ...yearly, amount: 1_450_000, per: "whole" } as const;
  const older = { ...whole, academicYear: 2089, amount: 1 };
  const home = { ...whole, audience: "home", amount: 2 } as const;
  await storeForTest(w, music, { title: "Harp", fees: [whole, older, home] });
  await storeForTest(w, music, { title: "Harp and Lute", fees: [yearly, whole] });
  expect((await list({ search: "harp" })).programmes).toMatchObject([
    { tuition: { amount: 1_450_000, currency: "GBP", per: "whole" }, aboutRand: null },
    { tuition: { amount: 3, currency: "GBP", per: "year" } },
  ]);
});
