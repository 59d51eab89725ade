import { randomUUID } from "node:crypto";
import { z } from "zod";
import {
  applicationLimits,
  intakes,
  type NewApplication,
  openAlready,
  studyLevels,
  tooManyApplications,
} from "#domain/application.ts";
import { checkApplication } from "#domain/application-check.ts";
import { type DocumentKind, documentKinds, fileProblem, uploadRefusal } from "#domain/document.ts";
import {
  checkShortlistItem,
  isSameCourse,
  onShortlistAlready,
  type ShortlistForm,
  shortlistFull,
  shortlistLimits,
} from "#domain/shortlist.ts";
import { application, applicationStep } from "#server/features/applications/tables.ts";
import { document } from "#server/features/documents/tables.ts";
import { shortlistItem } from "#server/features/shortlist/tables.ts";
import type { Transaction } from "#server/platform/database.ts";
import { idOf } from "./ids.ts";
import { countryCode } from "./read-account.ts";
import type { Export, OldDocument } from "./read-export.ts";
import type { People } from "./read-people.ts";
import type { Report } from "./report.ts";
import { Row, refuse } from "./row.ts";
import { type ExistingItems, openKey } from "./stored.ts";
import { storedPath } from "./stored-path.ts";
import { type FileParts, takeDocument } from "./take-files.ts";

type ImportParts = { files: FileParts; folder: string; now: Date };
type Insert = (tx: Transaction) => Promise<unknown>;
/** A row of a student's: a document, an application or a shortlist item. */
type StudentRow = { id: string; studentId: string; row: Row };
/** Reads the row and stores its file, or refuses it; resolves to a function that writes the row. */
type Prepare = (row: StudentRow, has: ExistingItems, place: ImportParts) => Promise<Insert>;
export type StudentItem = StudentRow & { prepare: Prepare };

const list = z.array(
  z.union([z.string().transform((text) => ({ text })), z.record(z.string(), z.unknown())]),
);

/** Reads every student's rows, by the student's id. Rows without a student are refused. */
export function readStudentItems(
  exported: Export,
  people: People,
  report: Report,
): ReadonlyMap<string, StudentItem[]> {
  const students = new Set(people.all.flatMap(({ id, isAgent }) => (isAgent ? [] : [id])));
  const items = new Map<string, StudentItem[]>();
  const add = (owner: string, row: Row, idFor: (studentId: string) => string, prepare: Prepare) => {
    const studentId = people.idOf(owner);
    if (studentId === null || !students.has(studentId))
      return report.refused(row, "it is no student's who is taken over");
    const id = idFor(studentId);
    const theirs = items.get(studentId) ?? [];
    if (theirs.some((each) => each.id === id)) {
      const reason = "another row stands for the same, with its address in other letters or the same id";
      return report.refused(row, reason);
    }
    items.set(studentId, [...theirs, { id, studentId, row, prepare }]);
  };

  const slots = exported.studentDocuments.flatMap(filledSlots);
  const naming = new Map<string | null, number>();
  for (const { path } of slots) naming.set(path, (naming.get(path) ?? 0) + 1);
  for (const { email, kind, row, path } of slots)
    add(
      email,
      row,
      (student) => idOf("studentDocuments", student, kind),
      async (studentRow, has, place) => {
        // The file's owner can't be known: in the older product, the later upload replaced the earlier one.
        if (path !== null && naming.get(path) !== 1) refuse("its file is also named by another document");
        if (has.slots.has(kind)) refuse("there is a newer file in this slot");
        return await prepareDocument(studentRow, kind, path, place);
      },
    );

  for (const { id: email, fields } of exported.applications) {
    const entries = list.safeParse(fields["applications"] ?? []);
    if (!entries.success)
      report.refused(new Row("applications", { id: email, fields }), "applications is no list of them");
    for (const [place, entry] of (entries.data ?? []).entries()) {
      const row = new Row("applications", { id: `${email}/${place}`, fields: entry });
      add(email, row, (student) => idOf("applications", student, String(place)), prepareApplication);
    }
  }

  for (const item of exported.shortlist) {
    const row = new Row("shortlist", item);
    const owner = ownerOf(row);
    if (owner === "") report.refused(row, "it does not say whose it is (docs/import.md, “Shortlist”)");
    else add(owner, row, () => idOf("shortlist", item.id), prepareShortlistItem);
  }
  return items;
}

/** Lists the filled slots of a student. The older product identifies a file by its path alone. */
function filledSlots({ id: email, fields }: OldDocument) {
  return documentKinds.flatMap((kind) => {
    const value = fields[kind];
    if (!value) return [];
    const file = slotFile.safeParse(value).data ?? {};
    const row = new Row("studentDocuments", { id: `${email}/${kind}`, fields: file });
    return [{ email, kind, row, path: documentPath(row) }];
  });
}

/** Stores a document; `path` is its file's path below the export's `files/`. */
async function prepareDocument(
  { id, studentId, row }: StudentRow,
  kind: DocumentKind,
  path: string | null,
  { files, folder, now }: ImportParts,
): Promise<Insert> {
  if (path === null) return refuse("it names no file below documents/");
  const originalName = row.text("name") || (path.split("/").at(-1) ?? "");
  const problem = fileProblem({ name: originalName, size: null });
  if (problem !== null) return refuse(uploadRefusal[problem].message);
  const uploadedAt = since(row, ["uploadedAt", "createdAt"], now);
  // Uploads use such keys too, so the nightly job removes the files that a killed import leaves.
  const storageKey = `documents/${kind}/${studentId}/${randomUUID()}`;
  const { size, mediaType } = await takeDocument(files, folder, path, storageKey);
  const values = { id, studentId, kind, storageKey, originalName, mediaType, size, uploadedAt };
  return (tx) => tx.insert(document).values(values);
}

async function prepareApplication(
  { id, studentId, row }: StudentRow,
  has: ExistingItems,
  { now }: ImportParts,
): Promise<Insert> {
  const { countries: countryCodes, ...form } = readApplication(row);
  const createdAt = since(row, ["createdAt", "submittedAt"], now);
  if (has.open.has(openKey(form))) refuse(openAlready.message);
  if (has.applications >= applicationLimits.perStudent) refuse(tooManyApplications.message);
  has.open.add(openKey(form));
  has.applications += 1;
  // The older product stored no state of an application, so it begins here.
  const state = "submitted";
  const values = { id, studentId, ...form, countryCodes, state, createdAt, updatedAt: createdAt } as const;
  const first = { applicationId: id, at: createdAt, actorId: studentId, from: null, to: state } as const;
  return async (tx) => {
    await tx.insert(application).values(values);
    await tx.insert(applicationStep).values(first);
  };
}

async function prepareShortlistItem(
  { id, studentId, row }: StudentRow,
  has: ExistingItems,
  { now }: ImportParts,
): Promise<Insert> {
  const item = readShortlistItem(row);
  const createdAt = since(row, ["createdAt"], now);
  if (has.shortlist.some((each) => isSameCourse(each, item))) refuse(onShortlistAlready.message);
  if (has.shortlist.length >= shortlistLimits.items) refuse(shortlistFull.message);
  has.shortlist.push(item);
  return (tx) => tx.insert(shortlistItem).values({ id, studentId, addedBy: studentId, ...item, createdAt });
}

/** A slot is either `true` or one of these forms. */
const slotFile = z.union([
  z
    .string()
    .min(1)
    .transform((path) => ({ path })),
  z.record(z.string(), z.unknown()),
]);

const pathFields = ["path", "fullPath", "storagePath", "url", "downloadURL", "downloadUrl"];

/** Returns the time since which a thing exists, or the import's time if it is unknown. */
function since(row: Row, fields: readonly string[], now: Date): Date {
  const moment = fields.map((field) => row.past(field, now)).find((at) => at !== null);
  if (moment) return moment;
  row.mend(`${fields[0]} is that of the import`);
  return now;
}

/** Returns the path of a slot's file below the export's `files/`, or null if it can't be a document. */
function documentPath(row: Row): string | null {
  const path = pathFields.map((field) => row.text(field)).find((text) => text !== "");
  return storedPath(path ?? "", "documents");
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, "");

const texts = z.union([z.string().transform((text) => text.split(",")), z.array(z.string())]);

function countriesOf(row: Row): string[] {
  const names = (texts.safeParse(row.value("country") ?? row.value("countries")).data ?? []).map((text) =>
    text.trim(),
  );
  const codes = names.map((text) => (text === "All" ? text : countryCode(text)));
  if (codes.some((code, place) => code !== names[place])) row.mend("country written as Wayfare does");
  return codes;
}

function readApplication(row: Row): NewApplication {
  const text = row.value("text");
  if (typeof text === "string")
    return refuse("it is a text: Wayfare needs programme, level, countries and intake of an application");
  const application = checkApplication({
    program: row.text("program"),
    highestStudyLevel: row.choice(
      "highestStudyLevel",
      studyLevels,
      (text, one) => plain(text) === plain(one),
    ),
    country: countriesOf(row),
    // Accepts "Fall", "Fall Intake" and the whole name.
    startDate: row.choice("startDate", intakes, (text, one) => {
      const word = plain(text);
      return word.length >= 4 && plain(one).startsWith(word);
    }),
    additionalInfo: row.text("additionalInfo"),
  });
  return "code" in application ? refuse(`${application.field}: ${application.message}`) : application;
}

function readShortlistItem(row: Row): ShortlistForm {
  const url = row.text("url");
  const hasScheme = url === "" || /^[a-z][a-z\d+.-]*:/i.test(url);
  if (!hasScheme) row.mend("url begins with https://");
  const item = checkShortlistItem({
    university: row.text("university"),
    course: row.text("course"),
    url: hasScheme ? url : `https://${url}`,
  });
  return "code" in item ? refuse(`${item.field}: ${item.message}`) : item;
}

/** Fields in which an item may name its owner; the older product wrote none. */
const owners = ["studentEmail", "email", "studentId", "userId", "uid"];

/** Returns the email address or uid of a product's owner. */
const ownerOf = (row: Row): string =>
  owners.map((field) => row.text(field)).find((text) => text !== "") ?? "";
