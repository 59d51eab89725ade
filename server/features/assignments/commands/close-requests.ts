import { and, inArray, isNull } from "drizzle-orm";
import type { Transaction } from "#server/platform/database.ts";
import { changeRequest } from "../tables.ts";

/** Closes the open requests of students whose agent changes some other way. Resolves to how many there were. */
export async function closeRequests(
  tx: Transaction,
  studentIds: readonly string[],
  closedBy: string | null,
): Promise<number> {
  const closed = await tx
    .update(changeRequest)
    .set({ closedAt: new Date(), closedBy })
    .where(and(inArray(changeRequest.studentId, [...studentIds]), isNull(changeRequest.closedAt)))
    .returning({ id: changeRequest.id });
  return closed.length;
}
