import { maySeeIdentity } from "#domain/permission.ts";
import { studentById } from "#server/features/assignments/queries.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Reader } from "#server/platform/database.ts";
import { studentOf } from "../applications/queries.ts";
import { letterOf, offerRow } from "./queries.ts";

export const letterPath = (applicationId: string): string =>
  `/files/offer-letters/${encodeURIComponent(applicationId)}`;

/** Returns an offer's letter; null without one, or if the caller may not see the student's documents. */
export async function letterFor(db: Reader, session: Session, applicationId: string) {
  const studentId = await studentOf(db, applicationId);
  const student = await studentById(db, studentId ?? "");
  if (!student || !maySeeIdentity({ ...session, id: session.userId }, student)) return null;
  const row = await offerRow(db, applicationId);
  const letter = row && (await letterOf(db, row.id));
  return letter && { letter, student };
}
