import type { Context } from "hono";
import type { BulkItem } from "#contract/bulk-runs.ts";
import { bulkReasons } from "#domain/bulk-run.ts";
import { mayManageStudents } from "#domain/permission.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { itemsOf, runOf } from "#server/features/bulk-runs/queries.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { type Columns, writeCsv } from "#server/platform/csv.ts";
import type { Services } from "#server/services.ts";
import { answerCsv, unreadable, withSession } from "./downloads.ts";

/** Milliseconds after which a download is cut off, and rows that are read into memory at a time. */
const [longest, batchSize] = [60_000, 1000];

const columns: Columns<BulkItem> = {
  Row: ({ position }) => String(position),
  Name: ({ student, invited }) => student?.name ?? invited?.name ?? "",
  Email: ({ student, invited }) => student?.email ?? invited?.email ?? "",
  Programme: ({ application }) => application?.program ?? "",
  University: ({ application }) => application?.university ?? "",
  Intake: ({ application }) => application?.startDate ?? "",
  "Intake year": ({ application }) => String(application?.year ?? ""),
  Outcome: ({ outcome }) => outcome ?? "waiting",
  Reason: ({ reason }) => (reason === null ? "" : bulkReasons[reason]),
  Id: ({ student }) => student?.id ?? "",
};

/** GET /files/bulk-runs/{id}: the rows of a run and their outcomes, for the person who created it. */
export const bulkRunCsvEndpoint = (c: Context, services: Services): Promise<Response> =>
  withSession(c, services, (session) => open(c, services, session));

async function open(c: Context, { database, limits }: Services, session: Session): Promise<Response> {
  const { userId } = session;
  const mayUse = mayManageStudents(session) && !session.lacksSecondFactor;
  const id = c.req.param("id") ?? "";
  if (id.includes("\0") || !mayUse || !(await runOf(database.db, userId, id)))
    return unreadable("not-found", 404);
  requireAllowance(await limits.write(userId), "resource-exhausted");
  async function* batches() {
    let after: number | null = 0;
    while (after !== null) {
      const { items, next }: Awaited<ReturnType<typeof itemsOf>> = await itemsOf(
        database.db,
        userId,
        id,
        { after },
        batchSize,
      );
      yield items;
      after = next;
    }
  }
  const csv = writeCsv(columns, batches(), (items) => items);
  return answerCsv("changes", csv, longest).response;
}
