import { sql } from "drizzle-orm";
import { intakeOf } from "#server/features/programmes/joined.ts";
import type { Reader } from "#server/platform/database.ts";

/** Moves the applications of a programme to the one that it is joined into. The caller holds the locks of both. */
export const moveApplications = (tx: Reader, { id, into }: { id: string; into: string }) =>
  tx.execute(sql`
    update application set programme_id = ${into}, intake_id = ${intakeOf(into, sql`application.intake_id`)}
    where programme_id = ${id}`);
