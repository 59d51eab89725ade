import { eq } from "drizzle-orm";
import { recordAudit } from "#server/features/audit/commands.ts";
import type { Services } from "#server/services.ts";
import type { Session } from "../sessions.ts";
import { session } from "../tables.ts";

/** Ends one session on every node; its streams end too. */
export async function signOut(
  { database, sessions }: Services,
  current: Session,
  address: string,
): Promise<void> {
  const { userId, id: sessionId } = current;
  const news = { userId, sessionId, ended: true };
  await database.transaction(async (tx) => {
    await tx.delete(session).where(eq(session.id, sessionId));
    await recordAudit(tx, { action: "sign-out", actorId: userId, subjectId: userId, address });
    await sessions.announce(tx, news);
  });
  sessions.forget(news);
}
