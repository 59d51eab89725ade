import { and, eq, inArray, isNull } from "drizzle-orm";
import { document } from "#server/features/documents/tables.ts";
import { storedFile } from "#server/features/files/tables.ts";
import type {
  MailedNotification,
  NotificationCheck,
} from "#server/features/notifications/current-notifications.ts";
import { request } from "#server/features/planner/tables.ts";
import { enteredField } from "#server/features/profile/tables.ts";
import type { Reader } from "#server/platform/database.ts";

type Entry = MailedNotification<"enteredForYou">;

/**
 * Keeps notifications of a file while the agent's upload is current, and of a profile while a field is as the agent
 * entered it. Keeps those of a study record, because a removed entry leaves no mark.
 */
export const currentEntries: NotificationCheck<"enteredForYou"> = async (db, notifications) => {
  const files = await currentFiles(db, notifications);
  const fields = await db
    .selectDistinct({ userId: enteredField.userId, by: enteredField.enteredBy })
    .from(enteredField)
    .where(
      inArray(
        enteredField.userId,
        notifications.map(({ userId }) => userId),
      ),
    );
  return notifications.filter(({ ids, about, userId, agentId }) => {
    const recordId = ids?.documentId ?? ids?.requestId;
    if (recordId !== undefined)
      return files.some((file) => file.recordId === recordId && file.by === agentId);
    return (
      about.what !== undefined || fields.some((field) => field.userId === userId && field.by === agentId)
    );
  });
};

/** Returns those files of the notifications that are in their slots, or were not sent back, with their uploaders. */
async function currentFiles(db: Reader, notifications: readonly Entry[]) {
  const columns = { recordId: storedFile.recordId, by: storedFile.uploadedBy };
  const documents = await db
    .select(columns)
    .from(storedFile)
    .innerJoin(document, eq(document.storageKey, storedFile.key))
    .where(
      and(
        inArray(
          document.id,
          notifications.flatMap(({ ids }) => ids?.documentId ?? []),
        ),
        isNull(document.replacedAt),
      ),
    );
  const requested = await db
    .select(columns)
    .from(storedFile)
    .innerJoin(request, eq(request.storageKey, storedFile.key))
    .where(
      and(
        inArray(
          request.id,
          notifications.flatMap(({ ids }) => ids?.requestId ?? []),
        ),
        inArray(request.state, ["supplied", "accepted"]),
      ),
    );
  return [...documents, ...requested];
}
