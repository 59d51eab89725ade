import { createHash, randomUUID } from "node:crypto";
import { and, asc, desc, eq, gte, inArray, max, notInArray, sql } from "drizzle-orm";
import { applicationStates } from "#domain/application.ts";
import { nextSteps, sendsApplication } from "#domain/application-step.ts";
import {
  type ConfirmationState,
  confirmationState,
  type FrozenList,
  type ListedDocument,
  listText,
} from "#domain/confirmation.ts";
import { type RequestKind, requestKinds } from "#domain/document-request.ts";
import type { EnteredBy } from "#domain/on-behalf.ts";
import { accountById } from "#server/features/account/queries.ts";
import { storedFile } from "#server/features/files/tables.ts";
import { enteredBy, entry, uploader } from "#server/features/files/uploaded-by.ts";
import type {
  MailedNotification,
  NotificationCheck,
} from "#server/features/notifications/current-notifications.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { studentsOfWatchable } from "../queries.ts";
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
  const list = { ...about, documents: await documentsToSend(db, studentId, applicationId) };
  return { studentId, list, hash: hashOf(list) };
}

/**
 * Returns the documents that would be sent: those in their slots that aren't rejected, and requested papers that were
 * accepted, for this application or for none. The planner depends on applications, so SQL names its table.
 */
async function documentsToSend(
  db: Reader,
  studentId: string,
  applicationId: string,
): Promise<ListedDocument[]> {
  const { rows } = await db.execute<{
    kind: RequestKind;
    name: string;
    id: string;
    sha256: string | null;
  }>(sql`
    select file.kind, file.name, file.id, sha256
    from (
      select kind, '' as name, id, storage_key from document
      where student_id = ${studentId} and replaced_at is null and state <> 'rejected'
      union all
      select kind, name, id, storage_key from request
      where student_id = ${studentId} and kind = 'other' and state = 'accepted'
        and (application_id is null or application_id = ${applicationId})
    ) file left join stored_file on stored_file.key = storage_key
    order by file.name, file.id`);
  return requestKinds.flatMap((kind) =>
    rows
      .filter((row) => row.kind === kind)
      .map(({ name, id, sha256 }) => (kind === "other" ? { kind, name, id, sha256 } : { kind, id, sha256 })),
  );
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
 * Stores the list that an admin sends without a confirmation, for `sentList`. The caller has locked the student, and
 * thereby the documents.
 */
export async function storeUnconfirmedList(
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

/** Returns the state of an application's confirmation, with the list; null for an unknown application. */
export async function confirmationOf(db: Reader, applicationId: string) {
  const list = await sentList(db, applicationId);
  if (list) return { ...list, state: "sent" as const };
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

/** Returns, by document id, the users who uploaded these documents on the student's behalf. */
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
        inArray(storedFile.purpose, ["document", "requestedFile"]),
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

/**
 * Returns the application that has waited longest for its student's confirmation: its list was never confirmed, or has
 * changed since. Null when none waits.
 */
export async function unconfirmedApplication(db: Reader, studentId: string) {
  const rows = await db
    .select({
      id: application.id,
      program: application.program,
      university: application.university,
      startDate: application.startDate,
      year: application.intakeYear,
    })
    .from(application)
    .innerJoin(confirmation, eq(confirmation.applicationId, application.id))
    .where(and(eq(application.studentId, studentId), inArray(application.state, sendable)))
    .groupBy(application.id)
    .orderBy(asc(max(confirmation.askedAt)), asc(application.id));
  for (const row of rows) if (!(await isListConfirmed(db, row.id))) return row;
  return null;
}

/**
 * Keeps the notification of a list to confirm while the latest list isn't confirmed and the application can still be
 * sent.
 */
export const unconfirmedLists: NotificationCheck<"confirmationAsked"> = async (db, notifications) => {
  const current = [];
  for (const each of await ofSendable(db, notifications)) {
    const latest = await latestConfirmation(db, each.ids?.applicationId ?? "");
    if (latest?.confirmedAt === null) current.push(each);
  }
  return current;
};

/**
 * Keeps the notification of a confirmed list until it changes or is sent, for an admin or the student's current agent,
 * no matter who asked.
 */
export const confirmedLists: NotificationCheck<"listConfirmed"> = async (db, notifications) => {
  const stillSendable = await ofSendable(db, notifications);
  const [first] = stillSendable;
  const reader = first && (await accountById(db, first.userId));
  if (!reader) return [];
  const ids = stillSendable.flatMap((each) => each.ids?.applicationId ?? []);
  const own = await studentsOfWatchable(db, { ...reader, userId: reader.id }, ids);
  const current = [];
  for (const each of stillSendable) {
    const id = each.ids?.applicationId ?? "";
    if (own.has(id) && (await isListConfirmed(db, id))) current.push(each);
  }
  return current;
};

/** Returns the notifications of applications that may still be sent to the university. */
async function ofSendable<Mailed extends MailedNotification>(
  db: Reader,
  notifications: readonly Mailed[],
): Promise<Mailed[]> {
  const ids = notifications.flatMap((each) => each.ids?.applicationId ?? []);
  const rows = await db
    .select({ id: application.id })
    .from(application)
    .where(and(inArray(application.id, ids), inArray(application.state, sendable)));
  return notifications.filter((each) => rows.some(({ id }) => id === each.ids?.applicationId));
}
