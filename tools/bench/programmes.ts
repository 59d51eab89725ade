import { hash as digest, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { studyCountries, studyLevels } from "#domain/application.ts";
import { studyFields, studyModes } from "#domain/programme.ts";
import { programmeSorts } from "#domain/programme-list.ts";
import { createAccount } from "#server/features/account/commands/create-account.ts";
import { user } from "#server/features/account/tables.ts";
import { type ImportFile, runImport } from "#server/features/programmes/imports/run-import.ts";
import { recordQualification, recordTest, studyRecord } from "#server/features/study-record/tables.ts";
import type { Caller } from "#tests/support/caller.ts";
import { programmeForm, programmeRowOf, programmesFile } from "#tests/support/programme-files.ts";
import { randomOf, randomRecord } from "#tests/support/random-records.ts";
import { createStudents, type Fixture, password } from "./fixture.ts";
import { type Figure, median, milliseconds, p99, time } from "./measure.ts";
import { inTime } from "./pace.ts";
import { fillProgrammes, subjects } from "./programme-data.ts";

const programmes = 200_000;
const imported = 20_000;
const searches = 1_000;
const countings = 200;
const students = 10;
/** Number of calls of each student, the first of which finds nothing prepared. */
const callsOfStudent = 10;

const random = randomOf(2_028);
const words = subjects.flatMap(([, names]) => names.flatMap((name) => name.toLowerCase().split(" ")));
const places = ["leeds", "toronto", "dubai", "galway", "boston", "university", "college"];

/** Draws a student's filters: mostly words, often with filters, now and then misspelt or still being typed. */
function drawFilters() {
  return {
    ...(random.chance(0.4) && { country: random.pick(studyCountries) }),
    ...(random.chance(0.3) && { level: random.pick(studyLevels) }),
    ...(random.chance(0.2) && { field: random.pick(studyFields) }),
    ...(random.chance(0.1) && { mode: random.pick(studyModes) }),
    ...(random.chance(0.15) && { feeUpTo: random.whole(5, 60) * 1_000_000 }),
    ...(random.chance(0.15) && { intake: `2027-${String(random.whole(1, 12)).padStart(2, "0")}` }),
  };
}
function drawSearch(): string {
  const word = random.pick(words);
  const kind = random.whole(0, 9);
  if (kind < 2) return "";
  if (kind < 5) return word;
  if (kind < 7) return `${word} ${random.pick(places)}`;
  if (kind < 8) return word.slice(0, 3);
  if (kind < 9) return random.pick(places);
  return `${word.slice(0, 2)}${word.slice(3)}`;
}

/** Makes every call from another address, below the limit of searches. */
let host = 0;
const elsewhere = () => `10.${(++host >> 16) & 255}.${(host >> 8) & 255}.${host & 255}`;
type Page = { next: string | null };

async function ask<Body>(caller: Caller, name: string, input: object): Promise<Body> {
  const { status, body } = await caller.call(name, input, { address: elsewhere() });
  if (status !== 200) throw new Error(`${name} was refused with ${status} for ${JSON.stringify(input)}`);
  return body as Body;
}

/** Measures searches, and every third time the page after it too. */
async function searchTimes(caller: Caller, number: number): Promise<number[]> {
  const times: number[] = [];
  while (times.length < number) {
    const input = { search: drawSearch(), sort: random.pick(programmeSorts), ...drawFilters() };
    let page: Page = { next: null };
    times.push(await time(async () => (page = await ask<Page>(caller, "programmes.list", input))));
    const cursor = page.next;
    if (cursor !== null && random.chance(0.33))
      times.push(await time(() => ask(caller, "programmes.list", { ...input, cursor })));
  }
  return times;
}

async function countTimes(caller: Caller, number: number): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < number; at++) {
    const input = { search: drawSearch(), ...drawFilters() };
    times.push(await time(() => ask(caller, "programmes.counts", input)));
  }
  return times;
}

/** Signs a student in whose record was drawn. */
async function studentOf(fixture: Fixture, email: string): Promise<Caller> {
  const { db } = fixture.services.database;
  const [account] = await db.select({ id: user.id }).from(user).where(eq(user.email, email));
  const studentId = account?.id ?? "";
  const record = randomRecord(random);
  await db.insert(studyRecord).values({ studentId, workMonths: record.workMonths });
  for (const each of record.qualifications)
    await db.insert(recordQualification).values({ id: randomUUID(), studentId, ...each });
  for (const each of record.tests)
    await db.insert(recordTest).values({ id: randomUUID(), studentId, ...each });
  const caller = fixture.caller(elsewhere());
  await caller.call("account.signIn", { email, password });
  return caller;
}

async function studentTimes(fixture: Fixture): Promise<number[]> {
  const times: number[] = [];
  for (const email of await createStudents(fixture, students)) {
    const caller = await studentOf(fixture, email);
    for (let at = 0; at < callsOfStudent; at++) {
      const input =
        at === 0 ? {} : { outcome: "mayEnter", sort: random.pick(programmeSorts), ...drawFilters() };
      times.push(await time(() => ask(caller, "programmes.forStudent", at % 3 === 0 ? {} : input)));
    }
  }
  return times;
}

/** Imports a file of new programmes into the full catalogue, as the page of admins does. Returns the seconds. */
async function importSeconds({ services }: Fixture): Promise<number> {
  const admin = { role: "admin", status: "active", email: "import@example.org" } as const;
  const hashed = await services.passwords.hash(password);
  const userId = await services.database.transaction((tx) => createAccount(tx, admin, hashed));
  const rows = Array.from({ length: imported }, (_, at) =>
    programmeRowOf(String(at), {
      institution: { name: `Importing College ${at % 200}`, country: "GB" },
      requirementSets: [
        ...(programmeForm.requirementSets ?? []),
        [{ kind: "text", text: `A portfolio of ${at % 500} works` }],
      ],
    }),
  );
  const bytes = Buffer.from(programmesFile("import.example", rows));
  const file: ImportFile = { bytes, format: "json", source: "" };
  const began = performance.now();
  const { counts } = await runImport(
    services,
    { userId, address: "10.0.0.1" },
    file,
    digest("sha256", bytes),
  );
  const seconds = (performance.now() - began) / 1_000;
  if (counts.new !== imported) throw new Error(`the import added ${counts.new} of ${imported} programmes`);
  return seconds;
}

async function figure(name: string, times: readonly number[], most: number): Promise<Figure> {
  const detail = `${times.length} calls, median ${milliseconds(median(times))}, longest ${milliseconds(Math.max(...times))}`;
  return await inTime(name, p99(times), most, detail);
}

/** Measures a catalogue of 200,000 programmes: searches, counts, what a student may enter, and an import. */
export async function programmeCatalogue(fixture: Fixture): Promise<Figure[]> {
  const night = await fillProgrammes(fixture, programmes);
  const visitor = fixture.caller();
  await searchTimes(visitor, 300);
  const figures = [
    await figure("programme search, p99 ms", await searchTimes(visitor, searches), 20),
    await figure("may enter, p99 ms", await studentTimes(fixture), 200),
    await figure("programme counts, p99 ms", await countTimes(visitor, countings), 100),
  ];
  const importing = await importSeconds(fixture);
  return [
    ...figures,
    {
      name: "nightly refresh, s",
      value: night,
      limit: "at most 120 s",
      holds: night <= 120,
      detail: `${programmes} programmes, all of which are written`,
    },
    {
      name: "import of 20,000 rows, s",
      value: importing,
      limit: "at most 60 s",
      holds: importing <= 60,
      detail: "new programmes of 200 new institutions, in JSON",
    },
  ];
}
