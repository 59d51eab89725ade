import { and, eq, inArray, sql } from "drizzle-orm";
import type { ApplicationState } from "#domain/application.ts";
import { isProgress } from "#domain/application-step.ts";
import { type RequestKind, requestTitle } from "#domain/document-request.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { request } from "./tables.ts";

type ApplicationMove = { from: ApplicationState; to: ApplicationState };

/** Returns for each application the first request that must be accepted before it takes this step. */
export async function blockingRequests(
  db: Reader,
  applicationIds: readonly string[],
  { from, to }: ApplicationMove,
) {
  if (!isProgress(from, to)) return [];
  return await db
    .selectDistinctOn([request.applicationId], {
      applicationId: request.applicationId,
      kind: request.kind,
      name: request.name,
    })
    .from(request)
    .where(
      and(
        sql`${request.applicationId} = any(${sql.param([...applicationIds])}::text[])`,
        eq(request.blocks, true),
        inArray(request.state, ["asked", "sentBack", "supplied"]),
      ),
    )
    .orderBy(request.applicationId, request.createdAt, request.id);
}

/** Refuses a step of an application that waits for a requested document. */
export class BlockedStep extends Refusal {
  constructor(blocking: { kind: RequestKind; name: string }) {
    super("failed-precondition", {
      message: `This waits for "${requestTitle(blocking)}". Accept it, or cancel the request, before the next step.`,
    });
  }
}

/** Refuses a step forward of an application with a request that has to be accepted first. */
export async function refuseBlockedStep(
  _: Services,
  tx: Transaction,
  { applicationId, ...move }: ApplicationMove & { applicationId: string },
): Promise<void> {
  const [blocking] = await blockingRequests(tx, [applicationId], move);
  if (blocking) throw new BlockedStep(blocking);
}
