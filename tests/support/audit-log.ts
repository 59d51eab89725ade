import { checkAll } from "#server/backup/check.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import { readHead } from "#server/features/audit/verify-chain.ts";
import { ownerOf } from "./backups.ts";
import type { Wayfare } from "./wayfare.ts";

/** Writes one transaction for each of these numbers, with this many entries. */
export async function recordEntries(w: Wayfare, ...entries: number[]): Promise<void> {
  for (const count of entries)
    await w.services.database.transaction((tx) =>
      recordAudit(
        tx,
        ...Array.from(
          { length: count },
          () => ({ action: "sign-in", detail: { to: "ü", as: "\\" } }) as const,
        ),
      ),
    );
}

type Link = { position: string; audit_id: string; hash: string };
export const auditLinksOf = async (w: Wayfare) =>
  (await w.services.database.pool.query<Link>("select * from audit_chain order by position")).rows;

/** Lists the problems of the audit log that `npm run check` reports. */
export async function auditProblemsOf(w: Wayfare, head?: string): Promise<string[]> {
  const lines: string[] = [];
  await checkAll(
    ownerOf(w),
    w.services.storage.disk,
    (problem) => void lines.push(problem.replace("Audit log: ", "")),
    readHead(head),
  );
  return lines;
}

/** Changes the audit log with the privileges of the database's owner. */
export const tamperWithAudit = (w: Wayfare, statement: string) =>
  w.asOwner(`alter table audit disable trigger user; alter table audit_chain disable trigger user; ${statement};
    alter table audit enable trigger user; alter table audit_chain enable trigger user`);
