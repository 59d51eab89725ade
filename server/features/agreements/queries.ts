import { asc, eq } from "drizzle-orm";
import { institution } from "#server/features/programmes/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { agreement } from "./tables.ts";

/** Whether an institution pays the consultancy for students who enrol. Only for display on a page. */
export async function hasAgreement(db: Reader, institutionId: string): Promise<boolean> {
  const rows = await db
    .select({ id: agreement.institutionId })
    .from(agreement)
    .where(eq(agreement.institutionId, institutionId));
  return rows.length > 0;
}

/** Lists the institutions that pay the consultancy, by name. */
export const listAgreements = (db: Reader) =>
  db
    .select({ institutionId: institution.id, name: institution.name, country: institution.country })
    .from(agreement)
    .innerJoin(institution, eq(institution.id, agreement.institutionId))
    .orderBy(asc(institution.name), asc(institution.id));
