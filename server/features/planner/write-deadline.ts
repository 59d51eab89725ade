import { checkDeadline, type DeadlineForm } from "#domain/deadline.ts";
import type { Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import { type DeadlineRow, deadlineRow } from "./deadline-columns.ts";
import { timeZoneOf } from "./queries.ts";

/** Returns a form's deadline as columns, an applicant's in the student's time zone. Refuses an impossible one. */
export async function checkedDeadline(
  db: Reader,
  studentId: string,
  form: DeadlineForm | null,
): Promise<DeadlineRow> {
  if (form === null) return deadlineRow(null);
  const deadline = checkDeadline(form, await timeZoneOf(db, studentId));
  if ("code" in deadline) throw Refusal.of(deadline);
  return deadlineRow(deadline);
}
