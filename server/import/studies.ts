import { randomUUID } from "node:crypto";
import { z } from "zod";
import { applicationLimits, openAlready, tooManyApplications } from "#domain/application.ts";
import { type DocumentKind, documentKinds } from "#domain/document.ts";
import { isSameCourse, onShortlistAlready, shortlistFull, shortlistLimits } from "#domain/shortlist.ts";
import { application, applicationStep } from "#server/features/applications/tables.ts";
import { document } from "#server/features/documents/tables.ts";
import { shortlistItem } from "#server/features/shortlist/tables.ts";
import type { Transaction } from "#server/platform/database.ts";
import { idOf } from "./ids.ts";
import type { Export, OldDocument } from "./read-export.ts";
import type { People } from "./read-people.ts";
import {
  documentPath,
  ownerOf,
  readApplication,
  readDocument,
  readShortlistItem,
  slotFile,
} from "./read-studies.ts";
import type { Report } from "./report.ts";
import { Row, refuse } from "./row.ts";
import { openKey, type Studies } from "./stored.ts";
import { type FileParts, takeDocument } from "./take-files.ts";

type Place = { files: FileParts; folder: string; now: Date };
type Insert = (tx: Transaction) => Promise<unknown>;
/**
 * A row of a student's: a document, an application or a shortlist item. `prepare` reads it and takes its file, or refuses
 * it; what it resolves to then writes it.
 */
export type Study = {
  id: string;
  row: Row;
  prepare(studentId: string, has: Studies, place: Place): Promise<Insert>;
};

const list = z.array(
  z.union([z.string().transform((text) => ({ text })), z.record(z.string(), z.unknown())]),
);

/** Every student's rows, by the student's id. Those that are nobody's are refused. */
export function readStudies(exported: Export, people: People, report: Report): ReadonlyMap<string, Study[]> {
  const students = new Set(people.all.flatMap(({ id, isAgent }) => (isAgent ? [] : [id])));
  const studies = new Map<string, Study[]>();
  const add = (owner: string, row: Row, id: (ownerId: string) => string, prepare: Study["prepare"]) => {
    const ownerId = people.idOf(owner);
    if (ownerId === null || !students.has(ownerId)) {
      report.refused(row, "it is no student's who is taken over");
      return;
    }
    const theirs = studies.get(ownerId) ?? [];
    if (theirs.some((each) => each.id === id(ownerId))) {
      report.refused(
        row,
        "another row stands for the same, with its address in other letters or the same id",
      );
      return;
    }
    studies.set(ownerId, [...theirs, { id: id(ownerId), row, prepare }]);
  };

  const slots = exported.studentDocuments.flatMap(filledSlots);
  const naming = new Map<string | null, number>();
  for (const { path } of slots) naming.set(path, (naming.get(path) ?? 0) + 1);
  for (const { email, kind, row, path } of slots)
    add(
      email,
      row,
      (owner) => idOf("studentDocuments", owner, kind),
      async (studentId, has, place) => {
        // Which of them the file is of nobody knows: there, the later upload took the place of the earlier.
        if (path !== null && naming.get(path) !== 1) refuse("its file is also named by another document");
        if (has.slots.has(kind)) refuse("there is a newer file in this slot");
        return await prepareDocument(row, kind, studentId, place);
      },
    );

  for (const { id: email, fields } of exported.applications) {
    const entries = list.safeParse(fields["applications"] ?? []);
    if (!entries.success)
      report.refused(new Row("applications", { id: email, fields }), "applications is no list of them");
    for (const [place, entry] of (entries.data ?? []).entries()) {
      const row = new Row("applications", { id: `${email}/${place}`, fields: entry });
      add(
        email,
        row,
        (owner) => idOf("applications", owner, String(place)),
        async (studentId, has, { now }) =>
          prepareApplication(row, idOf("applications", studentId, String(place)), studentId, has, now),
      );
    }
  }

  for (const item of exported.shortlist) {
    const row = new Row("shortlist", item);
    const owner = ownerOf(row);
    if (owner === "") report.refused(row, "it does not say whose it is (docs/import.md, “Shortlist”)");
    else
      add(
        owner,
        row,
        () => idOf("shortlist", item.id),
        async (studentId, has, { now }) =>
          prepareShortlistItem(row, idOf("shortlist", item.id), studentId, has, now),
      );
  }
  return studies;
}

/** What is in a student's slots. A file of the older product is known by its path alone. */
function filledSlots({ id: email, fields }: OldDocument) {
  return documentKinds.flatMap((kind) => {
    const value = fields[kind];
    // Something that is not there yet.
    if (!value) return [];
    const file = slotFile.safeParse(value).data ?? {};
    const row = new Row("studentDocuments", { id: `${email}/${kind}`, fields: file });
    return [{ email, kind, row, path: documentPath(row) }];
  });
}

async function prepareDocument(
  row: Row,
  kind: DocumentKind,
  studentId: string,
  { files, folder, now }: Place,
): Promise<Insert> {
  const { path, originalName, uploadedAt } = readDocument(row, kind, now);
  const id = idOf("studentDocuments", studentId, kind);
  // As an upload's: what a killed import leaves under it goes at night.
  const storageKey = `documents/${kind}/${studentId}/${randomUUID()}`;
  const { size, mediaType } = await takeDocument(files, folder, path, storageKey);
  const values = { id, studentId, kind, storageKey, originalName, mediaType, size, uploadedAt };
  return (tx) => tx.insert(document).values(values);
}

function prepareApplication(row: Row, id: string, studentId: string, has: Studies, now: Date): Insert {
  const form = readApplication(row, now);
  if (has.open.has(openKey(form))) refuse(openAlready.message);
  if (has.applications >= applicationLimits.perStudent) refuse(tooManyApplications.message);
  has.open.add(openKey(form));
  has.applications += 1;
  const first = { applicationId: id, at: form.createdAt, actorId: studentId, from: null, to: form.state };
  return async (tx) => {
    await tx.insert(application).values({ id, studentId, ...form });
    await tx.insert(applicationStep).values(first);
  };
}

function prepareShortlistItem(row: Row, id: string, studentId: string, has: Studies, now: Date): Insert {
  const item = readShortlistItem(row, now);
  if (has.shortlist.some((each) => isSameCourse(each, item))) refuse(onShortlistAlready.message);
  if (has.shortlist.length >= shortlistLimits.items) refuse(shortlistFull.message);
  has.shortlist.push(item);
  return (tx) => tx.insert(shortlistItem).values({ id, studentId, addedBy: studentId, ...item });
}
