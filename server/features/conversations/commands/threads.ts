import { eq } from "drizzle-orm";
import type { AccountStatus } from "#domain/account.ts";
import { threadTopic } from "#protocol/live-topic.ts";
import { activeAdmins, lockStatus } from "#server/features/account/queries.ts";
import { lockStudent, type StudentRecord } from "#server/features/assignments/queries.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { conversationsChannel } from "#server/live-channels.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { requireParticipation, studentOfThread } from "../participation.ts";
import { thread } from "../tables.ts";

/** A user who takes part in a student's conversations, locked together with the student's assignment. */
export type Participant = { who: AccountStatus & { id: string }; student: StudentRecord };

/**
 * Locks the actor and a student's assignment until the transaction ends; refuses users who take no part in the
 * student's conversations. Pass null for a missing student.
 */
export async function lockParticipant(
  tx: Transaction,
  { userId }: Actor,
  studentId: string | null,
): Promise<Participant> {
  // The actor is locked before the student, in the order of commands that take an agent away.
  const status = await lockStatus(tx, userId);
  const student = await lockStudent(tx, studentId);
  if (!status) throw new Refusal("not-found");
  const who = { ...status, id: userId };
  return { who, student: requireParticipation(who, student) };
}

/** Locks a thread, its student's assignment and the actor; refuses users who take no part in it. */
export async function lockThread(
  tx: Transaction,
  actor: Actor,
  threadId: string,
  strength: "update" | "share" = "update",
) {
  const student = await studentOfThread(tx, threadId);
  const participant = await lockParticipant(tx, actor, student?.id ?? null);
  const [row] = await tx.select().from(thread).where(eq(thread.id, threadId)).for(strength);
  if (!row) throw new Refusal("not-found");
  return { ...participant, thread: row };
}

/** Broadcasts a changed thread to everyone's open pages, if and when the transaction commits. */
export async function broadcastThread(
  { live }: Pick<Services, "live">,
  tx: Transaction,
  threadId: string,
  student: StudentRecord,
): Promise<void> {
  const people = new Set([student.id, ...(await activeAdmins(tx))]);
  if (student.assignedAgentId !== null) people.add(student.assignedAgentId);
  await live.publishTo([threadTopic(threadId), ...Array.from(people, conversationsChannel)], "{}", tx);
}
