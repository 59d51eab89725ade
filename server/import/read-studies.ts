import { z } from "zod";
import { checkApplication, intakes, studyLevels } from "#domain/application.ts";
import { type DocumentKind, fileProblem, uploadRefusal } from "#domain/document.ts";
import { checkShortlistItem, type ShortlistForm } from "#domain/shortlist.ts";
import type { application } from "#server/features/applications/tables.ts";
import { countryCode } from "./read-account.ts";
import { type Row, refuse } from "./row.ts";
import { storedPath } from "./stored-path.ts";

type NewApplication = Omit<typeof application.$inferInsert, "id" | "studentId"> & { createdAt: Date };
/** `path` below the export's `files/`. */
type NewDocument = { kind: DocumentKind; path: string; originalName: string; uploadedAt: Date };
type NewShortlistItem = ShortlistForm & { createdAt: Date };

/** What a slot holds of a file that is there, besides `true`. */
export const slotFile = z.union([
  z
    .string()
    .min(1)
    .transform((path) => ({ path })),
  z.record(z.string(), z.unknown()),
]);

const pathFields = ["path", "fullPath", "storagePath", "url", "downloadURL", "downloadUrl"];

/** Since when something is there; where nobody knows, since the import. */
function since(row: Row, fields: readonly string[], now: Date): Date {
  const known = fields.map((field) => row.past(field, now)).find((at) => at !== null);
  if (known) return known;
  row.mend(`${fields[0]} is that of the import`);
  return now;
}

/** The file that a slot names, below the export's `files/`; null for none that may be a document. */
export function documentPath(row: Row): string | null {
  const given = pathFields.map((field) => row.text(field)).find((text) => text !== "");
  return storedPath(given ?? "", "documents");
}

/** A file in one of a student's slots. */
export function readDocument(row: Row, kind: DocumentKind, now: Date): NewDocument {
  const path = documentPath(row);
  if (path === null) return refuse("it names no file below documents/");
  const originalName = row.text("name") || (path.split("/").at(-1) ?? "");
  const problem = fileProblem({ name: originalName, size: null });
  if (problem !== null) return refuse(uploadRefusal[problem].message);
  return { kind, path, originalName, uploadedAt: since(row, ["uploadedAt", "createdAt"], now) };
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, "");

/** The choice of a form that is meant, however it is written; what is none comes as it is. */
function choice(
  row: Row,
  field: string,
  choices: readonly string[],
  isMeant: (text: string, one: string) => boolean,
) {
  const text = row.text(field);
  const found = choices.find((one) => text !== "" && isMeant(plain(text), plain(one)));
  if (found !== undefined && found !== text) row.mend(`${field} written as Wayfare does`);
  return found ?? text;
}

const texts = z.union([z.string().transform((text) => text.split(",")), z.array(z.string())]);

function countriesOf(row: Row): string[] {
  const given = (texts.safeParse(row.value("country") ?? row.value("countries")).data ?? []).map((text) =>
    text.trim(),
  );
  const codes = given.map((text) => (text === "All" ? text : countryCode(text)));
  if (codes.some((code, place) => code !== given[place])) row.mend("country written as Wayfare does");
  return codes;
}

/** An application. The older product kept no state of one, so it begins here, as submitted. */
export function readApplication(row: Row, now: Date): NewApplication {
  const text = row.value("text");
  if (typeof text === "string")
    return refuse("it is a text: Wayfare needs programme, level, countries and intake of an application");
  const checked = checkApplication({
    program: row.text("program"),
    highestStudyLevel: choice(row, "highestStudyLevel", studyLevels, (given, one) => given === one),
    country: countriesOf(row),
    // "Fall", "Fall Intake" and the whole.
    startDate: choice(row, "startDate", intakes, (given, one) => given.length >= 4 && one.startsWith(given)),
    additionalInfo: row.text("additionalInfo"),
  });
  if ("code" in checked) return refuse(`${checked.field}: ${checked.message}`);
  const { countries, ...form } = checked;
  const createdAt = since(row, ["createdAt", "submittedAt"], now);
  return { ...form, countryCodes: countries, state: "submitted", createdAt, updatedAt: createdAt };
}

/** A shortlist item. */
export function readShortlistItem(row: Row, now: Date): NewShortlistItem {
  const url = row.text("url");
  const hasScheme = url === "" || /^[a-z][a-z\d+.-]*:/i.test(url);
  if (!hasScheme) row.mend("url begins with https://");
  const checked = checkShortlistItem({
    university: row.text("university"),
    course: row.text("course"),
    url: hasScheme ? url : `https://${url}`,
  });
  if ("code" in checked) return refuse(`${checked.field}: ${checked.message}`);
  return { ...checked, createdAt: since(row, ["createdAt"], now) };
}

/** Fields by which an item may say whose it is; the older product wrote none. */
const owners = ["studentEmail", "email", "studentId", "userId", "uid"];

/** Whose an item is, by address or uid. */
export const ownerOf = (row: Row): string =>
  owners.map((field) => row.text(field)).find((text) => text !== "") ?? "";
