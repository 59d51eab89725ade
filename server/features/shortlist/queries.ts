import { desc, eq } from "drizzle-orm";
import type { ShortlistItem } from "#contract/shortlist.ts";
import { shortlistLimits, visitableUrl } from "#domain/shortlist.ts";
import type { Reader } from "#server/platform/database.ts";
import { shortlistItem } from "./tables.ts";

/**
 * Lists all of a student's items, newest first. An address that reached the table in another way is never shown as a
 * link.
 */
export async function itemsOf(db: Reader, studentId: string): Promise<ShortlistItem[]> {
  const rows = await db
    .select({
      id: shortlistItem.id,
      university: shortlistItem.university,
      course: shortlistItem.course,
      url: shortlistItem.url,
    })
    .from(shortlistItem)
    .where(eq(shortlistItem.studentId, studentId))
    .orderBy(desc(shortlistItem.createdAt), desc(shortlistItem.id))
    .limit(shortlistLimits.items);
  return rows.map(({ id, university, course, url }) => ({ id, university, course, url: visitableUrl(url) }));
}
