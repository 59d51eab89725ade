import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { z } from "zod";
import { countries } from "#domain/country.ts";

/** The formerly stored names, each after its new code. */
const formerNames = `
  AF Afghanistan | AX Åland Islands | AL Albania | DZ Algeria | AS American Samoa | AD Andorra | AO Angola
  AI Anguilla | AQ Antarctica | AG Antigua and Barbuda | AR Argentina | AM Armenia | AW Aruba | AU Australia
  AT Austria | AZ Azerbaijan | BS Bahamas | BH Bahrain | BD Bangladesh | BB Barbados | BY Belarus
  BE Belgium | BZ Belize | BJ Benin | BM Bermuda | BT Bhutan | BO Bolivia
  BQ Bonaire, Sint Eustatius and Saba | BA Bosnia and Herzegovina | BW Botswana | BV Bouvet Island
  BR Brazil | IO British Indian Ocean Territory | BN Brunei | BG Bulgaria | BF Burkina Faso | BI Burundi
  CV Cabo Verde | KH Cambodia | CM Cameroon | CA Canada | KY Cayman Islands | CF Central African Republic
  TD Chad | CL Chile | CN China | CX Christmas Island | CC Cocos (Keeling) Islands | CO Colombia
  KM Comoros | CG Congo | CD Congo, Democratic Republic of the | CK Cook Islands | CR Costa Rica
  CI Côte d'Ivoire | HR Croatia | CU Cuba | CW Curaçao | CY Cyprus | CZ Czechia | DK Denmark | DJ Djibouti
  DM Dominica | DO Dominican Republic | EC Ecuador | EG Egypt | SV El Salvador | GQ Equatorial Guinea
  ER Eritrea | EE Estonia | SZ Eswatini | ET Ethiopia | FK Falkland Islands | FO Faroe Islands | FJ Fiji
  FI Finland | FR France | GF French Guiana | PF French Polynesia | TF French Southern Territories
  GA Gabon | GM Gambia | GE Georgia | DE Germany | GH Ghana | GI Gibraltar | GR Greece | GL Greenland
  GD Grenada | GP Guadeloupe | GU Guam | GT Guatemala | GG Guernsey | GN Guinea | GW Guinea-Bissau
  GY Guyana | HT Haiti | HM Heard Island and McDonald Islands | VA Holy See | HN Honduras | HK Hong Kong
  HU Hungary | IS Iceland | IN India | ID Indonesia | IR Iran | IQ Iraq | IE Ireland | IM Isle of Man
  IL Israel | IT Italy | JM Jamaica | JP Japan | JE Jersey | JO Jordan | KZ Kazakhstan | KE Kenya
  KI Kiribati | KW Kuwait | KG Kyrgyzstan | LA Laos | LV Latvia | LB Lebanon | LS Lesotho | LR Liberia
  LY Libya | LI Liechtenstein | LT Lithuania | LU Luxembourg | MO Macao | MG Madagascar | MW Malawi
  MY Malaysia | MV Maldives | ML Mali | MT Malta | MH Marshall Islands | MQ Martinique | MR Mauritania
  MU Mauritius | YT Mayotte | MX Mexico | FM Micronesia | MD Moldova | MC Monaco | MN Mongolia
  ME Montenegro | MS Montserrat | MA Morocco | MZ Mozambique | MM Myanmar | NA Namibia | NR Nauru | NP Nepal
  NL Netherlands | NC New Caledonia | NZ New Zealand | NI Nicaragua | NE Niger | NG Nigeria | NU Niue
  NF Norfolk Island | KP North Korea | MK North Macedonia | MP Northern Mariana Islands | NO Norway
  OM Oman | PK Pakistan | PW Palau | PS Palestine | PA Panama | PG Papua New Guinea | PY Paraguay | PE Peru
  PH Philippines | PN Pitcairn | PL Poland | PT Portugal | PR Puerto Rico | QA Qatar | RE Réunion
  RO Romania | RU Russia | RW Rwanda | BL Saint Barthélemy | SH Saint Helena, Ascension and Tristan da Cunha
  KN Saint Kitts and Nevis | LC Saint Lucia | MF Saint Martin | PM Saint Pierre and Miquelon
  VC Saint Vincent and the Grenadines | WS Samoa | SM San Marino | ST São Tomé and Príncipe
  SA Saudi Arabia | SN Senegal | RS Serbia | SC Seychelles | SL Sierra Leone | SG Singapore
  SX Sint Maarten | SK Slovakia | SI Slovenia | SB Solomon Islands | SO Somalia | ZA South Africa
  GS South Georgia and the South Sandwich Islands | KR South Korea | SS South Sudan | ES Spain
  LK Sri Lanka | SD Sudan | SR Suriname | SJ Svalbard and Jan Mayen | SE Sweden | CH Switzerland | SY Syria
  TW Taiwan | TJ Tajikistan | TZ Tanzania | TH Thailand | TL Timor-Leste | TG Togo | TK Tokelau | TO Tonga
  TT Trinidad and Tobago | TN Tunisia | TR Türkiye | TM Turkmenistan | TC Turks and Caicos Islands
  TV Tuvalu | UG Uganda | UA Ukraine | AE United Arab Emirates | GB United Kingdom | US United States
  UM United States Minor Outlying Islands | UY Uruguay | UZ Uzbekistan | VU Vanuatu | VE Venezuela
  VN Vietnam | VG Virgin Islands (British) | VI Virgin Islands (U.S.) | WF Wallis and Futuna
  EH Western Sahara | YE Yemen | ZM Zambia | ZW Zimbabwe
`
  .split(/[|\n]/)
  .map((entry) => entry.trim())
  .filter(Boolean)
  .map((entry) => ({ code: entry.slice(0, 2), name: entry.slice(3) }));

const database = `t_${randomUUID().replaceAll("-", "")}`;
const { host, owner } = inject("postgres");
const server = new pg.Client({ host, port: 5432, user: owner, database: "postgres" });
const client = new pg.Client({ host, port: 5432, user: owner, database });

const journal = z.object({ entries: z.array(z.object({ tag: z.string() })) });
const textOf = (file: string) =>
  readFile(new URL(`../../server/migrations/${file}`, import.meta.url), "utf8");

/** Migrates like the server's start: all files in one transaction. */
async function migrate(tags: readonly string[]): Promise<void> {
  await client.query("begin");
  for (const tag of tags) await client.query(await textOf(`${tag}.sql`));
  await client.query("commit");
}

const addPerson = (id: string, role: "student" | "agent", country: string) =>
  client.query(
    `insert into "user" (id, name, email, role, status, country)
     values ($1, 'Zoë Łuczak', lower($1) || '@example.org', $2, case $2 when 'student' then 'active' else 'pending' end, $3)`,
    [id, role, country],
  );
const addProfile = (id: string, citizenship: string) =>
  client.query(
    `insert into profile (user_id, middle_name, id_number, citizenship, passport_number, address_line_1,
       address_line_2, city, state, postal_code) values ($1, '', '', $2, '', '', '', '', '', '')`,
    [id, citizenship],
  );

const agentCountries = {
  agent1: "  nigeria ",
  agent2: "Cote d'Ivoire",
  agent3: "UK",
  agent4: "British Virgin Islands",
};
const countryNames = ["Canada", "Ireland", "United Arab Emirates", "United Kingdom", "United States"];

beforeAll(async () => {
  await server.connect();
  await server.query(`create database ${database} template template0`);
  await client.connect();
  const tags = journal.parse(JSON.parse(await textOf("meta/_journal.json"))).entries.map(({ tag }) => tag);
  const at = tags.indexOf("0012_countries");
  await migrate(tags.slice(0, at));
  for (const { code, name } of formerNames) {
    await addPerson(code, "student", name);
    await addProfile(code, name);
  }
  for (const [id, country] of Object.entries(agentCountries)) await addPerson(id, "agent", country);
  await addPerson("nowhere", "student", "");
  await addProfile("nowhere", "");
  await client.query(
    `insert into application (id, student_id, program, highest_study_level, countries, start_date, additional_info, state)
     values ('a', 'NG', '', '', $1, '', '', 'submitted'), ('b', 'NG', 'b', '', '{}', '', '', 'submitted')`,
    [countryNames],
  );
  await migrate(tags.slice(at, at + 1));
});
afterAll(async () => {
  await client.end();
  await server.query(`drop database ${database} with (force)`);
  await server.end();
});

test("every name that could be chosen becomes its code, for country and citizenship", async () => {
  expect(formerNames.map(({ code }) => code).toSorted()).toEqual(countries);
  const { rows } = await client.query(
    `select id, country, citizenship from "user" join profile on user_id = id where id <> 'nowhere'`,
  );
  expect(rows).toHaveLength(countries.length);
  for (const { id, country, citizenship } of rows) expect([country, citizenship]).toEqual([id, id]);
});

test("a country typed at sign-up is replaced by the code of that name, and an unknown one stays", async () => {
  const { rows } = await client.query(`select id, country from "user" where role = 'agent' order by id`);
  expect(rows.map(({ country }) => country)).toEqual(["NG", "CI", "UK", "VG"]);
  const nowhere = await client.query(
    `select country, citizenship from "user" join profile on user_id = id where id = 'nowhere'`,
  );
  expect(nowhere.rows).toEqual([{ country: "", citizenship: "" }]);
});

test("applications have the codes beside the names, in the same order", async () => {
  const { rows } = await client.query("select countries, country_codes from application order by id");
  expect(rows).toEqual([
    { countries: countryNames, country_codes: ["CA", "IE", "AE", "GB", "US"] },
    { countries: [], country_codes: [] },
  ]);
});

test("every code has a name to sort by", async () => {
  const { rows } = await client.query("select country_name(code) as name from unnest($1::text[]) code", [
    countries,
  ]);
  for (const { name } of rows) expect(name.length).toBeGreaterThan(2);
});

test("searches find people as before", async () => {
  const { rows } = await client.query(`select search_text from "user" where id = 'NG'`);
  expect(rows).toEqual([{ search_text: " zoe luczak ng@example.org" }]);
});
