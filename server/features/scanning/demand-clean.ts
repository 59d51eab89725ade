import { type FileRefusal, unscanned } from "#domain/file-rules.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";

/** Seconds after which somebody is to try again when a file could not be scanned. */
const pause = 60;

/**
 * Has a file scanned that nobody can see yet. Refuses one with a virus, which is in the audit log, and any file while the
 * scanner can't be asked. `infected` is the refusal in the words of what it is for; `detail` says that in the audit log.
 */
export async function demandClean(
  { virusScanner, database }: Pick<Services, "virusScanner" | "database">,
  actor: Actor,
  path: string,
  { infected, detail }: { infected: FileRefusal; detail: Record<string, string> },
): Promise<void> {
  const scan = await virusScanner.scan(actor.address, path);
  if (scan.kind === "clean") return;
  if (scan.kind === "failed") throw new Refusal("unavailable", { message: unscanned, retryAfter: pause });
  await recordAudit(database.db, {
    action: "virus-found",
    ...actedBy(actor),
    subjectId: actor.userId,
    detail: { ...detail, virus: scan.virus.slice(0, 100) },
  });
  throw Refusal.of(infected);
}
