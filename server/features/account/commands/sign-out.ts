import { recordAudit } from "#server/features/audit/commands.ts";
import type { Services } from "#server/services.ts";
import type { Session } from "../sessions.ts";

/** Ends one session on every node; its streams end too. */
export async function signOut(
  { database, sessions }: Services,
  current: Session,
  address: string,
): Promise<void> {
  const { userId } = current;
  const news = await database.transaction(async (tx) => {
    await recordAudit(tx, { action: "sign-out", actorId: userId, subjectId: userId, address });
    return await sessions.end(tx, current);
  });
  sessions.forget(news);
}
