import { hash } from "node:crypto";
import pg from "pg";
import { studyLevels } from "#domain/application.ts";
import { type studyFieldLabels, studyModes } from "#domain/programme.ts";
import type { Requirement } from "#domain/requirement.ts";
import { refreshCatalogue } from "#server/features/programmes/nightly.ts";
import type { DatabaseAddress } from "#server/platform/database.ts";
import { type Random, randomOf, randomRequirement } from "#tests/support/random-records.ts";
import type { Fixture } from "./fixture.ts";

const institutions = 2_000;
/** Number of different entry requirements of an institution, which its programmes share. */
const requirementsEach = 10;
const distinctRequirements = 5_000;

const places = [
  ["Leeds", "GB"],
  ["Sheffield", "GB"],
  ["Glasgow", "GB"],
  ["Coventry", "GB"],
  ["Swansea", "GB"],
  ["Dublin", "IE"],
  ["Galway", "IE"],
  ["Toronto", "CA"],
  ["Halifax", "CA"],
  ["Winnipeg", "CA"],
  ["Boston", "US"],
  ["Austin", "US"],
  ["Denver", "US"],
  ["Seattle", "US"],
  ["Dubai", "AE"],
  ["Sharjah", "AE"],
] as const;
const forms = [
  "University of",
  "Metropolitan University",
  "College",
  "Institute of Technology",
  "State University",
];

export const subjects = Object.entries({
  education: ["Primary Education", "Special Needs Teaching", "Educational Leadership"],
  arts: ["History", "Fine Art", "Linguistics", "Music Production", "Creative Writing"],
  social: ["Sociology", "International Relations", "Journalism", "Social Policy"],
  business: [
    "Business Administration",
    "Accounting and Finance",
    "Marketing",
    "Law",
    "Supply Chain Management",
  ],
  sciences: ["Chemistry", "Mathematics", "Zoology", "Physics", "Marine Biology", "Statistics"],
  computing: [
    "Computer Science",
    "Data Science",
    "Artificial Intelligence",
    "Cyber Security",
    "Software Engineering",
  ],
  engineering: ["Civil Engineering", "Mechanical Engineering", "Renewable Energy", "Architecture"],
  agriculture: ["Agronomy", "Veterinary Science", "Forestry"],
  health: ["Nursing", "Public Health", "Pharmacy", "Physiotherapy", "Medicine"],
  services: ["Hospitality Management", "Sport Science", "Aviation"],
} satisfies Record<keyof typeof studyFieldLabels, string[]>);
const additions = [
  "",
  "",
  "",
  "",
  "with Placement",
  "with Foundation Year",
  "(Advanced)",
  "and Management",
  "(Online)",
];
const awardOf = { Postgraduate: ["MSc", "MA"], Undergraduate: ["BSc", "BA"] };

type Programme = Record<string, string | number | null>;

function programmeOf(random: Random, number: number): Programme {
  const institution = random.whole(0, institutions - 1);
  const [field, names] = random.pick(subjects);
  const level = random.chance(0.85) ? random.pick(studyLevels.slice(0, 2)) : random.pick(studyLevels);
  const award =
    level === "Postgraduate" || level === "Undergraduate" ? random.pick(awardOf[level]) : "Certificate";
  const title = [award, random.pick(names), random.pick(additions)].filter((part) => part !== "").join(" ");
  const language = random.chance(0.95) ? "en" : random.pick(["fr", "ar", "ga"]);
  return {
    number,
    institution,
    title,
    level,
    field,
    award,
    months: random.pick([12, 24, 36, 48]),
    mode: random.chance(0.8) ? "fullTime" : random.pick(studyModes),
    language,
    checked: random.whole(0, random.chance(0.9) ? 400 : 900),
    requirements: random.chance(0.95)
      ? institution * requirementsEach + random.whole(1, requirementsEach)
      : null,
    months_ahead: random.whole(1, 18),
    intakes: random.pick([0, 1, 1, 1, 2, 2, 3]),
    has_deadline: random.chance(0.7) ? 1 : 0,
    fee: random.chance(0.88) ? random.whole(400_000, 4_500_000) : null,
  };
}

/** Number of rows that are sent to PostgreSQL together. */
const batchSize = 10_000;

async function sendRows(client: pg.Client, text: string, rows: readonly unknown[]): Promise<void> {
  for (let first = 0; first < rows.length; first += batchSize)
    await client.query(text, [JSON.stringify(rows.slice(first, first + batchSize))]);
}

/** Creates ids from texts, in the form that cursors accept. */
const addUuidOf = `
  create function pg_temp.uuid_of(text) returns uuid language sql immutable
  return overlay(overlay(md5($1) placing '4' from 13) placing 'a' from 17)::uuid`;
const addInstitutions = `
  insert into institution (id, name, country, place, zone)
  select pg_temp.uuid_of('institution ' || number), name, country, place, 'Europe/London'
  from json_to_recordset($1) as row (number int, name text, country text, place text)`;
const addRequirements = `
  insert into requirement (id, hash, content) overriding system value
  select id, hash, content from json_to_recordset($1) as row (id int, hash text, content jsonb)`;
const addEntryRequirements = `
  insert into entry_requirements (id, hash) overriding system value
  select id, md5(id::text) from json_to_recordset($1) as row (id int)`;
const addSets = `
  insert into requirement_set (entry_requirements_id, place, requirement_ids)
  select id, place, array(select value::int from json_array_elements_text(ids))
  from json_to_recordset($1) as row (id int, place int, ids json)`;

const columns = `number int, institution int, title text, level text, field text, award text, months int, mode text,
  language text, checked int, requirements int, months_ahead int, intakes int, has_deadline int, fee bigint`;
const addProgrammes = `
  with row as materialized (select * from json_to_recordset($1) as row (${columns})),
  added as (
    insert into programme (id, institution_id, slug, title, level, field, award, months, mode, language, url, checked_on,
      source, entry_requirements_id, country)
    select pg_temp.uuid_of('programme ' || number), pg_temp.uuid_of('institution ' || institution), 'programme-' || number, title, level,
      field, award, months, mode, language, 'https://university.example/' || number, current_date - checked,
      'university.example', requirements, 'GB'
    from row),
  intake as (
    insert into programme_intake (id, programme_id, year, month, state)
    select pg_temp.uuid_of(number || ' ' || ahead), pg_temp.uuid_of('programme ' || number), extract(year from day), extract(month from day),
      'open'
    from row
    cross join lateral generate_series(1, intakes) turn
    cross join lateral (select months_ahead + 5 * (turn - 1) as ahead) later
    cross join lateral (select date_trunc('month', current_date) + ahead * interval '1 month' as day) start),
  deadline as (
    insert into intake_deadline (intake_id, kind, date, hard, due_at)
    select pg_temp.uuid_of(number || ' ' || months_ahead), 'applyBy', day, true, day
    from row
    cross join lateral (
      select date_trunc('month', current_date) + months_ahead * interval '1 month' - number % 90 * interval '1 day' as day) due
    where has_deadline = 1 and intakes > 0)
  insert into programme_fee (programme_id, kind, per, academic_year, audience, amount, currency)
  select pg_temp.uuid_of('programme ' || number), 'tuition', 'year', 2027, 'international', fee,
    (array['GBP', 'EUR', 'CAD', 'USD', 'AUD'])[1 + number % 5]
  from row where fee is not null`;
const addRates = `
  insert into exchange_rate (day, currency, per_rand)
  values ('2026-01-01', 'GBP', 0.043), ('2026-01-01', 'EUR', 0.049), ('2026-01-01', 'USD', 0.056), ('2026-01-01', 'CAD', 0.078)`;

/** Draws distinct requirements. Each text gets a number, because every university words them differently. */
function requirementsOf(random: Random): { id: number; hash: string; content: Requirement }[] {
  const contents = new Map<string, Requirement>();
  while (contents.size < distinctRequirements) {
    const drawn = randomRequirement(random);
    const content = drawn.kind === "text" ? { ...drawn, text: `${drawn.text} (${contents.size})` } : drawn;
    contents.set(hash("sha256", JSON.stringify(content)), content);
  }
  return Array.from(contents, ([key, content], place) => ({ id: place + 1, hash: key, content }));
}

/** Fills an empty database with this many programmes, always the same. Returns the seconds of the nightly work. */
export async function fillProgrammes(
  { services, owner }: Pick<Fixture, "services"> & { owner: DatabaseAddress },
  programmes: number,
): Promise<number> {
  const random = randomOf(28);
  const client = new pg.Client(owner);
  await client.connect();
  try {
    await client.query("set synchronous_commit = off; set session_replication_role = replica");
    const institutionRows = Array.from({ length: institutions }, (_, number) => {
      const [place, country] = random.pick(places);
      const form = random.pick(forms);
      const name = form.endsWith("of") ? `${form} ${place} ${number}` : `${place} ${form} ${number}`;
      return { number, name, country, place };
    });
    await client.query(addUuidOf);
    await sendRows(client, addInstitutions, institutionRows);
    await sendRows(client, addRequirements, requirementsOf(random));
    const ids = Array.from({ length: institutions * requirementsEach }, (_, place) => ({ id: place + 1 }));
    await sendRows(client, addEntryRequirements, ids);
    const sets = ids.flatMap(({ id }) =>
      random
        .times(1, 3, () => id)
        .map((_, place) => ({
          id,
          place,
          ids: random.times(2, 5, () => random.whole(1, distinctRequirements)),
        })),
    );
    await sendRows(client, addSets, sets);
    for (const table of ["requirement", "entry_requirements"])
      await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), max(id)) from ${table}`);
    await client.query(addRates);
    const rows = Array.from({ length: programmes }, (_, number) => programmeOf(random, number));
    await sendRows(client, addProgrammes, rows);
    await client.query("analyze");
    const began = performance.now();
    await refreshCatalogue(services);
    const seconds = (performance.now() - began) / 1_000;
    await client.query("vacuum analyze");
    await client.query("checkpoint");
    await client.query("create extension if not exists pg_prewarm");
    await client.query(
      "select pg_prewarm(oid) from pg_class where relkind in ('r', 'i') and relname ~ '^(programme|intake|institution|requirement)'",
    );
    return seconds;
  } finally {
    await client.end();
  }
}
