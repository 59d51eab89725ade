import { Readable } from "node:stream";
import type { Context } from "hono";
import type { BulkItem } from "#contract/bulk-runs.ts";
import { bulkReasons } from "#domain/bulk-run.ts";
import { mayManageStudents } from "#domain/permission.ts";
import { demandAllowance } from "#server/features/account/allowance.ts";
import { itemsOf, runOf } from "#server/features/bulk-runs/queries.ts";
import { type Columns, csvFile, writeCsv } from "#server/platform/csv.ts";
import type { Services } from "#server/services.ts";
import { fileHeaders, refusalPage, sending, unreadable } from "./downloads.ts";

/** Milliseconds after which one that is still being sent is cut off, and rows that are read into memory at a time. */
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

/** GET /files/bulk-runs/{id}: the rows of a run and how they ended, to the person who made it. */
export async function bulkRunCsvEndpoint(c: Context, services: Services): Promise<Response> {
  const { sessions, database, limits } = services;
  if (c.req.method !== "GET") return unreadable("not-found", 405);
  const session = await sessions.check(c.req.header("cookie") ?? null);
  if (!session) return unreadable("unauthenticated", 401);
  const { userId } = session;
  const mayUse = mayManageStudents(session) && !session.lacksSecondFactor;
  const id = c.req.param("id") ?? "";
  if (id.includes("\0") || !mayUse || !(await runOf(database.db, userId, id)))
    return unreadable("not-found", 404);
  try {
    demandAllowance(await limits.write(userId), "resource-exhausted");
  } catch (error) {
    return refusalPage(error);
  }
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
  const headers = fileHeaders("changes.csv", "text/csv; charset=utf-8");
  return new Response(Readable.toWeb(sending(csvFile(csv), longest)), { headers });
}
