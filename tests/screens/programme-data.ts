import { randomUUID } from "node:crypto";
import { eq, inArray } from "drizzle-orm";
import { calendarDate, monthsBefore } from "#domain/calendar-date.ts";
import type { ProgrammeEntry } from "#domain/programme.ts";
import { agreement } from "#server/features/agreements/tables.ts";
import { exchangeRate, nationalityGroup, programme } from "#server/features/programmes/tables.ts";
import { recordQualification, recordTest } from "#server/features/study-record/tables.ts";
import { storeInstitution, storeProgrammeOf } from "#tests/support/programmes.ts";
import { inDatabase } from "../e2e/auctioneer.ts";
import { call } from "../e2e/call.ts";
import type { Server } from "../e2e/server.ts";
import type { Browsers } from "./fixture.ts";

const today = calendarDate(new Date());
const year = Number(today.slice(0, 4)) + 1;
const group = "West Africa";

const tuition = (amount: number, currency: ProgrammeEntry["fees"][number]["currency"] = "GBP") =>
  ({
    kind: "tuition",
    amount,
    currency,
    per: "year",
    academicYear: year,
    audience: "international",
  }) as const;
const bachelor = {
  kind: "qualification",
  country: null,
  award: "bachelor",
  scale: "ukHonours",
  grade: "Upper second (2:1)",
} as const;
const english = (overall: number, writing: number) =>
  ({ kind: "english", test: "ieltsAcademic", overall, components: { writing }, years: 2 }) as const;
const fall = { year, month: 9, state: "open" } as const;
const due = (kind: "applyBy" | "documentsBy" | "depositBy" | "visaPapersBy", date: string) =>
  ({ kind, group: null, date: `${year}-${date}`, time: "17:00", hard: kind === "applyBy" }) as const;

/** A programme with all that a page can show: groups' deadlines, two ways in, fees of all kinds. */
const full: Partial<ProgrammeEntry> = {
  title: "MSc Nursing",
  checkedOn: monthsBefore(today, 1),
  intakes: [
    {
      ...fall,
      deadlines: [
        due("applyBy", "06-30"),
        { ...due("applyBy", "05-31"), group },
        { ...due("documentsBy", "07-15"), time: null },
        due("depositBy", "07-31"),
      ],
    },
    { year: year + 1, month: 1, state: "notYet", deadlines: [] },
    { year, month: 3, state: "full", deadlines: [] },
  ],
  fees: [
    tuition(2_750_000),
    { ...tuition(950_000), audience: "home" },
    { ...tuition(120_050), kind: "deposit", per: "whole" },
    { ...tuition(3_000), kind: "application", per: "whole", audience: "all" },
  ],
  requirementSets: [
    [bachelor, english(6.5, 6.5)],
    [
      { kind: "qualification", country: "NG", award: "diploma", scale: "percent", grade: "60" },
      { kind: "work", leastMonths: 24, field: "nursing" },
      english(7, 7),
      { kind: "text", text: "A letter of a registered nurse that says what you have done, on one page." },
    ],
  ],
};

const long: Partial<ProgrammeEntry> = {
  title:
    "Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetz and International Comparative Food Law of Europe",
  award: "Master of Advanced Interdisciplinary Studies in Food Law",
  months: 27,
  mode: "blended",
  language: "ga",
  checkedOn: monthsBefore(today, 14),
  fees: [tuition(999_999_900, "EUR")],
  intakes: [{ ...fall, deadlines: [{ ...due("applyBy", "01-02"), time: null }] }],
  requirementSets: [
    [
      { kind: "subject", subject: "Donaudampfschiffahrtsrecht", scale: "ukHonours", grade: "First" },
      { kind: "text", text: "x".repeat(300) },
    ],
  ],
};

/** Six tests for each of two qualifications: twelve ways, as a careful university lists them. */
const many: Partial<ProgrammeEntry> = {
  title: "MSc Adult Nursing with Professional Registration",
  intakes: [{ ...fall, deadlines: [due("applyBy", "06-30")] }],
  fees: [tuition(2_850_000)],
  requirementSets: [
    bachelor,
    {
      kind: "qualification",
      country: "NG",
      award: "bachelor",
      scale: "gpa5",
      grade: "3.50",
    } as const,
  ].flatMap((qualification) =>
    (
      [
        ["ieltsAcademic", 7, { listening: 7, reading: 7, writing: 7, speaking: 7 }],
        ["toefl", 100, { writing: 24, speaking: 25 }],
        ["pte", 68, { writing: 65 }],
        ["duolingo", 125, {}],
        ["cambridge", 185, { useOfEnglish: 180 }],
        ["ieltsGeneral", 7.5, {}],
      ] as const
    ).map(([test, overall, components]) => [
      qualification,
      { kind: "english", test, overall, components, years: 2 } as const,
      { kind: "work", leastMonths: 12, field: "" } as const,
    ]),
  ),
};

const subjects = [
  ["MSc Data Science", "computing", 3_150_000],
  ["MSc Public Health", "health", 2_480_000],
  ["MA International Relations", "social", 2_210_000],
  ["LLM Commercial Law", "business", 2_690_000],
  ["MBA", "business", 4_250_000],
  ["MEng Civil Engineering", "engineering", 2_890_000],
  ["MSc Environmental Science", "sciences", 2_530_000],
  ["MA Education", "education", 1_980_000],
] as const;

/**
 * The slugs of programmes: `full` has everything, `bare` as little as possible, `many` as many ways in as possible;
 * `removed` has left the catalogue.
 */
export type Programmes = Record<"full" | "other" | "bare" | "long" | "many" | "removed", string>;

const record = (studentId: string) => [
  {
    id: randomUUID(),
    studentId,
    country: "GB",
    award: "bachelor" as const,
    name: "BSc Nursing",
    scale: "ukHonours" as const,
    grade: "Upper second (2:1)",
    year: year - 2,
    enteredBy: studentId,
  },
];

/** Fills the catalogue, and the student's record and shortlist. */
export async function prepareProgrammes(
  server: Server,
  { student }: Browsers,
  studentId: string,
): Promise<Programmes> {
  const ids = await inDatabase(server, async (store) => {
    const { db } = store.services.database;
    // The demo also has a group of this name, and rates.
    await db
      .insert(nationalityGroup)
      .values({ id: randomUUID(), name: group, countries: ["NG", "GH"] })
      .onConflictDoNothing();
    await db
      .insert(exchangeRate)
      .values([
        { day: monthsBefore(today, 1), currency: "GBP", perRand: "0.0425" },
        { day: monthsBefore(today, 1), currency: "EUR", perRand: "0.0491" },
      ])
      .onConflictDoNothing();
    await db.insert(recordQualification).values(record(studentId));
    await db.insert(recordTest).values({
      id: randomUUID(),
      studentId,
      test: "ieltsAcademic",
      takenOn: monthsBefore(today, 3),
      overall: 6.5,
      components: { listening: 7, reading: 6.5, writing: 6, speaking: 6.5 },
    });
    const leeds = await storeInstitution(store);
    const galway = await storeInstitution(store, {
      name: "University of Galway",
      country: "IE",
      place: "Galway",
    });
    const toronto = await storeInstitution(store, { name: "Toronto Institute", country: "CA", place: "" });
    const far = await storeInstitution(store, {
      name: "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch University of Applied Food Sciences",
      place: "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch",
    });
    await db.insert(agreement).values({ institutionId: leeds.id });
    const add = async (at: typeof leeds, changes: Partial<ProgrammeEntry>) =>
      await storeProgrammeOf(store, at, { url: `https://uni.example/${randomUUID()}`, ...changes });
    const programmes = {
      full: await add(leeds, full),
      other: await add(galway, {
        title: "MSc Nursing Practice",
        months: 24,
        fees: [tuition(1_850_000, "EUR")],
        intakes: [{ ...fall, deadlines: [due("applyBy", "04-30")] }],
        requirementSets: [[bachelor, english(6, 6)]],
      }),
      bare: await add(toronto, {
        title: "Foundation Year",
        level: "Foundation",
        award: "",
        months: null,
        intakes: [],
      }),
      long: await add(far, long),
      many: await add(leeds, many),
      removed: await add(leeds, { title: "MSc Midwifery" }),
    };
    for (const [at, [title, field, amount]] of subjects.entries())
      for (const place of [leeds, galway, toronto])
        await add(place, {
          title,
          field,
          sample: at === 0,
          checkedOn: monthsBefore(today, at === 1 ? 19 : at),
          fees: [tuition(amount + at * 10_000, place === galway ? "EUR" : place === toronto ? "CAD" : "GBP")],
          intakes: [{ ...fall, deadlines: [due("applyBy", "06-30")] }],
          requirementSets:
            at % 3 === 0 ? [[bachelor, english(6, 6)]] : at % 3 === 1 ? [[bachelor, english(6.5, 6.5)]] : [],
        });
    await db.update(programme).set({ removedAt: new Date() }).where(eq(programme.id, programmes.removed));
    return programmes;
  });
  await shortlist(server, student, [ids.other, ids.full]);
  return await inDatabase(server, async ({ services: { database } }) => {
    const rows = await database.db
      .select({ id: programme.id, slug: programme.slug })
      .from(programme)
      .where(inArray(programme.id, Object.values(ids)));
    const slugOf = (id: string) => rows.find((row) => row.id === id)?.slug ?? "";
    return {
      full: slugOf(ids.full),
      other: slugOf(ids.other),
      bare: slugOf(ids.bare),
      long: slugOf(ids.long),
      many: slugOf(ids.many),
      removed: slugOf(ids.removed),
    };
  });
}

async function shortlist(server: Server, { request }: Browsers["student"], programmeIds: readonly string[]) {
  for (const programmeId of programmeIds) await call(request, server.url, "shortlist/add", { programmeId });
}
