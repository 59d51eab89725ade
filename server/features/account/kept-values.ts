import { randomUUID } from "node:crypto";
import { and, eq, gt, type SQL } from "drizzle-orm";
import type { Reader } from "#server/platform/database.ts";
import { verification } from "./tables.ts";

/** Stores a value under a name for `lifetime` milliseconds, replacing an earlier value of that name. */
export async function keep(db: Reader, name: string, value: string, lifetime: number): Promise<void> {
  const columns = { value, expiresAt: new Date(Date.now() + lifetime) };
  await db
    .insert(verification)
    .values({ id: randomUUID(), identifier: name, ...columns })
    .onConflictDoUpdate({ target: verification.identifier, set: columns });
}

/** Matches the value of a name unless it has expired. */
export const isKept = (name: string): SQL | undefined =>
  and(eq(verification.identifier, name), gt(verification.expiresAt, new Date()));

export async function temporaryValue(db: Reader, name: string): Promise<string | null> {
  const [row] = await db.select({ value: verification.value }).from(verification).where(isKept(name));
  return row?.value ?? null;
}
