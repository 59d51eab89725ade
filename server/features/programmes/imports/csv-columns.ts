import type { ExportedProgramme } from "#contract/catalogue-import.ts";
import { deadlinesCell, feesCell, intakesCell, readFees, readIntakes } from "#domain/programme-cells.ts";
import type { Columns } from "#server/platform/csv.ts";

const yes = (is: boolean) => (is ? "yes" : "");

/** The columns of a CSV file of programmes, one row per programme (docs/programmes.md). */
export const programmeColumns: Columns<ExportedProgramme> = {
  Id: ({ id }) => id,
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

/** The columns that a file must have. */
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

/**
 * Converts the cells of a row to the form of an API call. `cell` returns undefined for a column that the file lacks,
 * whose field is then omitted. The values are checked afterwards, like those of any other row.
 */
export function rowOfCells(cell: (heading: string) => string | undefined): {
  form: unknown;
  problem: string | null;
} {
  const text = (heading: string) => cell(heading) ?? "";
  const has = (heading: string) => cell(heading) !== undefined;
  const refused = (problem: string) => ({ form: { title: text("Title") }, problem });
  const intakes = readIntakes(text("Intakes"), text("Deadlines"));
  if ("problem" in intakes) return refused(intakes.problem);
  const fees = readFees(text("Fees"));
  if ("problem" in fees) return refused(fees.problem);
  let requirementSets: unknown = [];
  try {
    if (text("Requirements") !== "") requirementSets = JSON.parse(text("Requirements"));
  } catch {
    return refused("Requirements: the cell isn't JSON.");
  }
  const months = text("Months");
  if (!/^\d{0,3}$/.test(months)) return refused("Months: please write a whole number.");
  return {
    problem: null,
    form: {
      ...(text("Id") !== "" && { id: text("Id") }),
      source: text("Source"),
      ...(has("Source id") && { sourceId: text("Source id") === "" ? null : text("Source id") }),
      institution: {
        name: text("Institution"),
        country: text("Country").toUpperCase(),
        place: text("Place"),
        zone: text("Time zone"),
        website: text("Website"),
      },
      title: text("Title"),
      level: text("Level"),
      field: text("Field"),
      ...(has("Award") && { award: text("Award") }),
      ...(has("Months") && { months: months === "" ? null : Number(months) }),
      mode: text("Mode"),
      language: text("Language"),
      url: text("Web address"),
      checkedOn: text("Checked on"),
      ...(has("Sample") && { sample: text("Sample").toLowerCase() === "yes" }),
      ...(has("Intakes") && {
        intakes: has("Deadlines")
          ? intakes
          : intakes.map(({ year, month, state }) => ({ year, month, state })),
      }),
      ...(has("Fees") && { fees }),
      ...(has("Requirements") && { requirementSets }),
    },
  };
}
