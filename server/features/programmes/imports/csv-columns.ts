import type { ProgrammeRow } from "#contract/catalogue-import.ts";
import { deadlinesCell, feesCell, intakesCell, readFees, readIntakes } from "#domain/programme-cells.ts";
import type { Columns } from "#server/platform/csv.ts";

const yes = (is: boolean) => (is ? "yes" : "");

/** The columns of a CSV file of programmes, one row a programme (docs/programmes.md). */
export const programmeColumns: Columns<ProgrammeRow> = {
  Id: ({ id }) => id ?? "",
  Source: ({ source }) => source,
  "Source id": ({ sourceId }) => sourceId ?? "",
  Institution: ({ institution }) => institution.name,
  Country: ({ institution }) => institution.country,
  Place: ({ institution }) => institution.place,
  "Time zone": ({ institution }) => institution.zone,
  Website: ({ institution }) => institution.website,
  Title: ({ title }) => title,
  Level: ({ level }) => level,
  Field: ({ field }) => field,
  Award: ({ award }) => award,
  Months: ({ months }) => (months === null ? "" : String(months)),
  Mode: ({ mode }) => mode,
  Language: ({ language }) => language,
  "Web address": ({ url }) => url,
  "Checked on": ({ checkedOn }) => checkedOn,
  Sample: ({ sample }) => yes(sample),
  Intakes: ({ intakes }) => intakesCell(intakes),
  Deadlines: ({ intakes }) => deadlinesCell(intakes),
  Fees: ({ fees }) => feesCell(fees),
  Requirements: ({ requirementSets }) =>
    requirementSets.length === 0 ? "" : JSON.stringify(requirementSets),
};

/** Columns without which no row can be read. */
export const requiredColumns = [
  "Institution",
  "Country",
  "Title",
  "Level",
  "Field",
  "Mode",
  "Language",
  "Web address",
  "Checked on",
] as const;

/** Reads the cells of a row as a program would send it. What it says is checked afterwards, like any other row. */
export function rowOfCells(cell: (heading: string) => string): { form: unknown; problem: string | null } {
  const refused = (problem: string) => ({ form: { title: cell("Title") }, problem });
  const intakes = readIntakes(cell("Intakes"), cell("Deadlines"));
  if ("problem" in intakes) return refused(intakes.problem);
  const fees = readFees(cell("Fees"));
  if ("problem" in fees) return refused(fees.problem);
  let requirementSets: unknown = [];
  try {
    if (cell("Requirements") !== "") requirementSets = JSON.parse(cell("Requirements"));
  } catch {
    return refused("Requirements: the cell isn't JSON.");
  }
  const months = cell("Months");
  if (!/^\d{0,3}$/.test(months)) return refused("Months: please write a whole number.");
  return {
    problem: null,
    form: {
      ...(cell("Id") !== "" && { id: cell("Id") }),
      source: cell("Source"),
      sourceId: cell("Source id") === "" ? null : cell("Source id"),
      institution: {
        name: cell("Institution"),
        country: cell("Country").toUpperCase(),
        place: cell("Place"),
        zone: cell("Time zone"),
        website: cell("Website"),
      },
      title: cell("Title"),
      level: cell("Level"),
      field: cell("Field"),
      award: cell("Award"),
      months: months === "" ? null : Number(months),
      mode: cell("Mode"),
      language: cell("Language"),
      url: cell("Web address"),
      checkedOn: cell("Checked on"),
      sample: cell("Sample").toLowerCase() === "yes",
      intakes,
      fees,
      requirementSets,
    },
  };
}
