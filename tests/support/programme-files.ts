import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { importReport } from "#contract/catalogue-import.ts";
import type { programmeEntry } from "#contract/programme-entry.ts";
import type { InstitutionEntry } from "#domain/programme.ts";
import type { Caller } from "./caller.ts";

/** A programme as its form sends it, with only valid fields. */
export const programmeForm: z.input<typeof programmeEntry> = {
  title: "MSc Nursing",
  level: "Postgraduate",
  field: "health",
  award: "MSc",
  months: 12,
  mode: "fullTime",
  language: "en",
  url: "https://leeds.example/nursing",
  checkedOn: "2026-11-01",
  source: "leeds.example",
  sourceId: null,
  sample: false,
  intakes: [
    {
      year: 2090,
      month: 9,
      state: "open",
      deadlines: [{ kind: "applyBy", group: null, date: "2090-06-30", time: "17:00", hard: true }],
    },
  ],
  fees: [
    {
      kind: "tuition",
      amount: 2_650_000,
      currency: "GBP",
      per: "year",
      academicYear: 2089,
      audience: "international",
    },
  ],
  requirementSets: [
    [
      {
        kind: "qualification",
        country: null,
        award: "bachelor",
        scale: "ukHonours",
        grade: "Upper second (2:1)",
      },
      { kind: "english", test: "ieltsAcademic", overall: 6.5, components: { writing: 6 }, years: 2 },
    ],
  ],
};

const institution: InstitutionEntry = {
  name: "University of Leeds",
  country: "GB",
  place: "Leeds",
  zone: "Europe/London",
  website: "",
};

/** A programme as files and programs send it; the file names its source. */
export function programmeRowOf(sourceId: string, changes: Record<string, unknown> = {}) {
  const { source: _, ...facts } = programmeForm;
  return { ...facts, sourceId, institution, title: `MSc Nursing ${sourceId}`, ...changes };
}

/** A new institution as its form sends it. */
export const institutionForm = (name = `College ${randomUUID().slice(0, 8)}`) => ({
  institution: { ...institution, name },
  otherNames: [],
});

export const equivalenceForm = {
  fromScale: "percent",
  fromGrade: "70",
  toScale: "ukHonours",
  toGrade: "First",
  firstYear: null,
  lastYear: null,
  source: "UK ENIC, 2026",
} as const;

export const programmesFile = (source: string, programmes: readonly unknown[]) =>
  JSON.stringify({ source, programmes });

/** Sends a file of programmes: for a dry run, or with `run` and its hash to import it. */
export const sendProgrammes = (
  caller: Caller,
  file: string,
  query: { format?: string; run?: string; source?: string } = {},
) =>
  caller.request(`/files/programme-imports?${new URLSearchParams({ format: "json", ...query }).toString()}`, {
    method: "POST",
    headers: {
      "content-type": "application/octet-stream",
      "sec-fetch-site": "same-origin",
      "x-csrf-token": "orpc",
    },
    body: file,
  });

async function reportOf(response: Response) {
  const body: unknown = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return importReport.parse(body);
}

export const dryRunOf = async (
  caller: Caller,
  file: string,
  query: { format?: string; source?: string } = {},
) => await reportOf(await sendProgrammes(caller, file, query));

/** Imports a file after its dry run, as the page does. */
export async function importProgrammes(
  caller: Caller,
  file: string,
  query: { format?: string; source?: string } = {},
) {
  const { hash } = await dryRunOf(caller, file, query);
  return await reportOf(await sendProgrammes(caller, file, { ...query, run: hash }));
}

/** Downloads the catalogue, or one source of it. */
export async function exportProgrammes(caller: Caller, format: string, source = ""): Promise<string> {
  const response = await caller.request(
    `/files/programmes?${new URLSearchParams({ format, source }).toString()}`,
    {
      headers: { "sec-fetch-site": "same-origin" },
    },
  );
  if (response.status !== 200) throw new Error(await response.text());
  return await response.text();
}
