import { eq } from "drizzle-orm";
import type { Reader } from "#server/platform/database.ts";
import { agreement } from "./tables.ts";

/** Whether an institution pays the consultancy for students who enrol. It is for a page to say so, and for nothing else. */
export async function hasAgreement(db: Reader, institutionId: string): Promise<boolean> {
  const rows = await db
    .select({ id: agreement.institutionId })
    .from(agreement)
    .where(eq(agreement.institutionId, institutionId));
  return rows.length > 0;
}
