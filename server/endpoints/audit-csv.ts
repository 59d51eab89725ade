import type { Context } from "hono";
import { auditFilter } from "#contract/audit.ts";
import { isAdmin } from "#domain/permission.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { auditQuery } from "#server/features/admin/audit-log.ts";
import { auditCsv } from "#server/features/admin/exports.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { Limiter } from "#server/platform/limiter.ts";
import type { Services } from "#server/services.ts";
import { answerCsv, unreadable, withSession } from "./downloads.ts";

/** Most exports at a time: by this node, and by an account. */
const maxConcurrent = { running: 2, waiting: 0, ofKey: { running: 1, waiting: 0 } };
/** Milliseconds after which a download is cut off, so that no client holds a slot by reading slowly. */
const longest = 10 * 60_000;

/** Reads the filter from the URL, with its times in ISO 8601. */
function filterIn(c: Context) {
  const { from, before, ...rest } = c.req.query();
  return auditFilter.safeParse({
    ...rest,
    ...(from && { from: new Date(from) }),
    ...(before && { before: new Date(before) }),
  });
}

/**
 * GET /files/audit.csv?action&actor&subject&from&before: everything that `audit.list` lists, for an admin. The export
 * itself is in the log before a byte is sent. Entries are read in batches, as fast as the client reads.
 */
export function auditCsvEndpoint(services: Services) {
  const turns = new Limiter(maxConcurrent);
  const { database, refusals, limits } = services;
  return (c: Context, address: string): Promise<Response> =>
    withSession(c, services, (session) => open(c, session, address));

  async function open(c: Context, session: Session, address: string): Promise<Response> {
    const { userId } = session;
    if (!isAdmin(session)) {
      const by = { action: "access-refused", actorId: userId, address } as const;
      await refusals.record({ ...by, procedure: "GET /files/audit.csv", subjectId: null, things: [] });
      return unreadable("permission-denied", 403);
    }
    const filter = filterIn(c);
    if (!filter.success) return unreadable("invalid-argument", 400);
    const leave = await turns.take(userId);
    try {
      requireAllowance(await limits.write(userId), "resource-exhausted");
      const query = await auditQuery(database.db, filter.data);
      const detail = query?.filters ?? {};
      await recordAudit(database.db, { action: "audit-exported", actorId: userId, address, detail });
      const { response, body } = answerCsv("audit-log", auditCsv(database.db, query), longest);
      body.once("close", leave);
      return response;
    } catch (error) {
      leave();
      throw error;
    }
  }
}
