import type { AuditDetail } from "#domain/audit-detail.ts";
import { type FileRefusal, unscanned } from "#domain/file-rules.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";

/** Seconds after which a client should try again when a file could not be scanned. */
const pause = 60;

/**
 * Scans a file that nobody can see yet, and returns whether it was scanned. Refuses a file with a virus and records
 * that in the audit log. Refuses any file while the scanner is unavailable. `infected` is the refusal for files of this
 * purpose, and `detail` describes the file in the audit log.
 */
export async function requireClean(
  { virusScanner, database }: Pick<Services, "virusScanner" | "database">,
  actor: Actor,
  path: string,
  { infected, detail }: { infected: FileRefusal; detail: AuditDetail },
): Promise<"clean" | "off"> {
  const scan = await virusScanner.scan(actor.address, path);
  if (scan.kind === "clean" || scan.kind === "off") return scan.kind;
  if (scan.kind === "failed") throw new Refusal("unavailable", { message: unscanned, retryAfter: pause });
  await recordAudit(database.db, {
    action: "virus-found",
    ...actedBy(actor),
    subjectId: actor.userId,
    detail: { ...detail, virus: scan.virus.slice(0, 100) },
  });
  throw Refusal.of(infected);
}
