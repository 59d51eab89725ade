import { createHash, randomUUID } from "node:crypto";
import { and, asc, desc, eq, gte, inArray, isNull, notInArray, sql } from "drizzle-orm";
import { applicationStates } from "#domain/application.ts";
import { nextSteps, sendsApplication } from "#domain/application-step.ts";
import {
  type ConfirmationState,
  confirmationState,
  type FrozenList,
  type ListedDocument,
  listText,
} from "#domain/confirmation.ts";
import { documentKinds } from "#domain/document.ts";
import type { EnteredBy } from "#domain/on-behalf.ts";
import { document } from "#server/features/documents/tables.ts";
import { storedFile } from "#server/features/files/tables.ts";
import { enteredBy, entry, uploader } from "#server/features/files/uploaded-by.ts";
import type { NewsCheck } from "#server/features/notifications/current-news.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { application, applicationStep, confirmation } from "../tables.ts";

/** Returns the hash by which a student confirms a list. */
export const hashOf = (list: FrozenList): string => createHash("sha256").update(listText(list)).digest("hex");

const sendable = applicationStates.filter((state) => nextSteps("agent", state).some(sendsApplication));

/** Returns what would be sent for an application now, with its hash; null when there is no such application. */
export async function currentList(
  db: Reader,
  applicationId: string,
): Promise<{ studentId: string; list: FrozenList; hash: string } | null> {
  const [row] = await db
    .select({
      studentId: application.studentId,
      program: application.program,
      university: application.university,
      startDate: application.startDate,
      year: application.intakeYear,
    })
    .from(application)
    .where(eq(application.id, applicationId));
  if (!row) return null;
  const { studentId, ...about } = row;
  const rows = await db
    .select({ kind: document.kind, id: document.id, sha256: storedFile.sha256 })
    .from(document)
    .leftJoin(storedFile, eq(storedFile.key, document.storageKey))
    .where(and(eq(document.studentId, studentId), isNull(document.replacedAt)));
  const documents: ListedDocument[] = documentKinds.flatMap((kind) =>
    rows.filter((each) => each.kind === kind),
  );
  const list = { ...about, documents };
  return { studentId, list, hash: hashOf(list) };
}

/** Returns the latest list that the student was asked to confirm for an application; null before the first. */
export async function latestConfirmation(db: Reader, applicationId: string) {
  const [row] = await db
    .select({
      id: confirmation.id,
      hash: confirmation.hash,
      askedBy: confirmation.askedBy,
      askedAt: confirmation.askedAt,
      confirmedAt: confirmation.confirmedAt,
    })
    .from(confirmation)
    .where(eq(confirmation.applicationId, applicationId))
    .orderBy(desc(confirmation.askedAt), desc(confirmation.id))
    .limit(1);
  return row ?? null;
}

/** Whether the student has confirmed what would be sent for an application now. */
export async function isListConfirmed(db: Reader, applicationId: string): Promise<boolean> {
  const current = await currentList(db, applicationId);
  if (current === null) return false;
  return confirmationState(await latestConfirmation(db, applicationId), current.hash) === "confirmed";
}

/** Returns the list with which an application went to the university; null while it may still be sent. */
async function sentList(db: Reader, applicationId: string) {
  const [row] = await db
    .select({
      list: confirmation.list,
      hash: confirmation.hash,
      askedAt: confirmation.askedAt,
      confirmedAt: confirmation.confirmedAt,
      sentAt: applicationStep.at,
    })
    .from(application)
    .innerJoin(confirmation, eq(confirmation.applicationId, application.id))
    .innerJoin(applicationStep, eq(applicationStep.applicationId, application.id))
    .where(
      and(
        eq(application.id, applicationId),
        notInArray(application.state, sendable),
        eq(applicationStep.to, "sentToUniversity"),
        inArray(applicationStep.from, sendable),
        gte(applicationStep.at, confirmation.askedAt),
      ),
    )
    .orderBy(desc(applicationStep.id), desc(confirmation.askedAt), desc(confirmation.id))
    .limit(1);
  return row ?? null;
}

/**
 * Keeps what an admin sends without a confirmation, as `sentList` reads it. The caller has locked the student, and with
 * that the documents.
 */
export async function keepUnconfirmed(
  tx: Transaction,
  applicationId: string,
  askedBy: string,
): Promise<void> {
  const current = await currentList(tx, applicationId);
  const latest = await latestConfirmation(tx, applicationId);
  if (current === null || latest?.hash === current.hash) return;
  const { list, hash } = current;
  // The step has the time of the transaction too.
  await tx
    .insert(confirmation)
    .values({ id: randomUUID(), applicationId, list, hash, askedBy, askedAt: sql`now()` });
}

/** Returns how far the confirmation of an application is, with the list; null for an unknown application. */
export async function confirmationOf(db: Reader, applicationId: string) {
  const sent = await sentList(db, applicationId);
  if (sent) return { ...sent, state: "sent" as const };
  const current = await currentList(db, applicationId);
  if (current === null) return null;
  const latest = await latestConfirmation(db, applicationId);
  const state: ConfirmationState = confirmationState(latest, current.hash);
  return {
    state,
    list: current.list,
    hash: current.hash,
    askedAt: latest?.askedAt ?? null,
    confirmedAt: latest?.confirmedAt ?? null,
    sentAt: null,
  };
}

/** Returns by id who uploaded these documents in the student's place. The student's own are left out. */
export async function entriesOfDocuments(
  db: Reader,
  documents: readonly ListedDocument[],
): Promise<Map<string, EnteredBy>> {
  const rows = await db
    .select({ id: storedFile.recordId, entry })
    .from(storedFile)
    .leftJoin(uploader, eq(uploader.id, storedFile.uploadedBy))
    .where(
      and(
        eq(storedFile.purpose, "document"),
        inArray(
          storedFile.recordId,
          documents.map(({ id }) => id),
        ),
      ),
    );
  return new Map(
    rows.flatMap(({ id, entry: by }) => {
      const who = enteredBy(by);
      return who === null ? [] : [[id, who] as const];
    }),
  );
}

/** Returns the application that has waited longest for its student's confirmation; null when none waits. */
export async function unconfirmedApplication(db: Reader, studentId: string) {
  const [row] = await db
    .select({
      id: application.id,
      program: application.program,
      university: application.university,
      startDate: application.startDate,
      year: application.intakeYear,
    })
    .from(confirmation)
    .innerJoin(application, eq(application.id, confirmation.applicationId))
    .where(
      and(
        eq(application.studentId, studentId),
        inArray(application.state, sendable),
        isNull(confirmation.confirmedAt),
        sql`not exists (
          select from confirmation later
          where later.application_id = ${confirmation.applicationId} and later.asked_at > ${confirmation.askedAt})`,
      ),
    )
    .orderBy(asc(confirmation.askedAt), asc(confirmation.id))
    .limit(1);
  return row ?? null;
}

/** Keeps the news of a list to confirm while the latest list of that application isn't confirmed. */
export const unconfirmedLists: NewsCheck<"confirmationAsked"> = async (db, news) => {
  const current = [];
  for (const each of news) {
    const id = each.ids?.applicationId;
    const latest = id === undefined ? null : await latestConfirmation(db, id);
    if (latest?.confirmedAt === null) current.push(each);
  }
  return current;
};
