import { and, eq } from "drizzle-orm";
import type { Guided } from "#domain/permission.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { user } from "../account/tables.ts";

/** A student as commands need them: who they are, and who guides them. */
export type GuidedStudent = Guided & { name: string; firstName: string; email: string };

const fields = {
  id: user.id,
  name: user.name,
  firstName: user.firstName,
  email: user.email,
  assignedAgentId: user.assignedAgentId,
};
const isStudent = (id: string) => and(eq(user.id, id), eq(user.role, "student"));

/** A student by id; null for anybody else's. */
export async function studentById(db: Reader, id: string): Promise<GuidedStudent | null> {
  const [found] = await db.select(fields).from(user).where(isStudent(id));
  return found ?? null;
}

/**
 * The same, with the assignment kept as it is until the transaction ends: what an agent does for a student counts
 * only as long as it is their student.
 */
export async function lockStudent(tx: Transaction, id: string, strength: "share" | "update" = "share") {
  const [found] = await tx.select(fields).from(user).where(isStudent(id)).for(strength);
  return found ?? null;
}
