import { and, asc, eq, inArray, lte, ne, sql } from "drizzle-orm";
import { searchFilters } from "#contract/watching.ts";
import { decideSearchNotification } from "#domain/watching.ts";
import { searchPath } from "#protocol/addresses.ts";
import { countedText, maxHits } from "#protocol/page-sizes.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import type { NotificationCheck } from "#server/features/notifications/current-notifications.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { usersWithAccess } from "./notify-of-ends.ts";
import { newItemsOf, searchTopic } from "./searches.ts";
import { savedSearch, savedSearchDue } from "./tables.ts";

const batchSize = 100;

type Parts = Pick<Services, "database" | "jobs" | "live">;

/**
 * Notifies people of new items of their saved searches, as often as they want. Safe to run on several nodes
 * concurrently: each skips rows that another has locked.
 */
export async function notifyOfHits(services: Parts): Promise<void> {
  let count = batchSize;
  while (count === batchSize) count = await services.database.transaction((tx) => notifySome(services, tx));
}

const dueSearches = (tx: Transaction) =>
  tx
    .select({
      id: savedSearch.id,
      userId: savedSearch.userId,
      name: savedSearch.name,
      filters: savedSearch.filters,
      mail: savedSearch.mail,
      toldAt: savedSearch.toldAt,
      mailedAt: savedSearch.mailedAt,
      now: sql<Date>`now()`.mapWith(savedSearch.madeAt),
    })
    .from(savedSearchDue)
    .innerJoin(savedSearch, eq(savedSearch.id, savedSearchDue.searchId))
    .where(lte(savedSearchDue.at, sql`now()`))
    .orderBy(asc(savedSearchDue.at), asc(savedSearch.id))
    .limit(batchSize)
    .for("update", { of: savedSearchDue, skipLocked: true });

type DueSearch = Awaited<ReturnType<typeof dueSearches>>[number];

async function notifySome(services: Parts, tx: Transaction): Promise<number> {
  const searches = await dueSearches(tx);
  if (searches.length === 0) return 0;
  const ids = searches.map(({ id }) => id);
  await tx.delete(savedSearchDue).where(inArray(savedSearchDue.searchId, ids));
  const newItems = await newItemsOf(tx, ids);
  const recipients = await usersWithAccess(
    tx,
    searches.map(({ userId }) => userId),
  );
  const later: (typeof savedSearchDue.$inferInsert)[] = [];
  const announced: string[] = [];
  const mailed: string[] = [];
  const notifications: NewNotification[] = [];
  for (const search of searches) {
    const items = newItems.get(search.id);
    // An item that is off sale by now is not announced.
    if (!items || !recipients.has(search.userId)) continue;
    const outcome = decideSearchNotification(search, search.now);
    if (outcome.kind === "later") {
      later.push({ searchId: search.id, at: outcome.at });
      continue;
    }
    if (outcome.lookAgain) later.push({ searchId: search.id, at: outcome.lookAgain });
    announced.push(search.id);
    if (outcome.mail) mailed.push(search.id);
    notifications.push({ ...notificationOfHits(search, items), mail: outcome.mail });
  }
  if (later.length > 0) await tx.insert(savedSearchDue).values(later);
  if (announced.length > 0)
    await tx
      .update(savedSearch)
      .set({ toldAt: sql`now()`, mailedAt: sql`case when ${inMailed(mailed)} then now() else mailed_at end` })
      .where(inArray(savedSearch.id, announced));
  await notify(services, tx, ...notifications);
  return searches.length;
}

const inMailed = (ids: readonly string[]) => sql`${savedSearch.id} = any(${sql.param([...ids])}::uuid[])`;

type NewItems = { items: number; newest: string };
const wordsOf = ({ items, newest }: NewItems) => ({ items: countedText(items, maxHits), newest });

const notificationOfHits = (
  { id, userId, name, filters, now }: DueSearch,
  items: NewItems,
): NewNotification<"searchHits"> => ({
  userId,
  kind: "searchHits",
  eventKey: `search-hits:${id}:${now.toISOString()}`,
  topic: searchTopic(id),
  about: { search: name, ...wordsOf(items) },
  ids: { searchId: id },
  path: searchPath(searchFilters.parse(filters), id),
});

/** Drops notifications of searches that are gone, no longer want email, or have nothing new any more. */
export const unseenSearchHits: NotificationCheck<"searchHits"> = async (tx, notifications) => {
  const ids = notifications.flatMap(({ ids }) => ids?.searchId ?? []);
  const mailedSearches = await tx
    .select({ id: savedSearch.id })
    .from(savedSearch)
    .where(and(inArray(savedSearch.id, ids), ne(savedSearch.mail, "never")));
  const newItems = await newItemsOf(
    tx,
    mailedSearches.map(({ id }) => id),
  );
  return notifications.flatMap((each) => {
    const items = newItems.get(each.ids?.searchId ?? "");
    return items ? [{ ...each, about: { ...each.about, ...wordsOf(items) } }] : [];
  });
};
