import { randomUUID } from "node:crypto";
import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type SavedSearch, searchFilters } from "#contract/watching.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { mayTrade } from "#domain/permission.ts";
import {
  normalisedFilters,
  type SearchFilters,
  type SearchMail,
  savedSearchNameProblem,
  savedSearchProblem,
  watchLimits,
  watchTexts,
} from "#domain/watching.ts";
import { maxHits } from "#protocol/page-sizes.ts";
import { lockActor } from "#server/features/account/queries.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { markTopicRead, removeUnread } from "#server/features/notifications/commands.ts";
import type { Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { indexed } from "./search-anchors.ts";
import { savedSearch, savedSearchAnchor } from "./tables.ts";

/** Returns the topic of a search's notifications: a later one replaces an earlier one. */
export const searchTopic = (id: string) => `search:${id}`;

/** The hits of a search that its owner hasn't seen, of items that can still be bid on. */
const unseenHits = sql`
  saved_search_hit hit
  join auction_product product on product.id = hit.product_id and product.state = 'open'
  join auction_bidding bidding on bidding.product_id = hit.product_id and bidding.ends_at > now()
  where hit.search_id = saved_search.id and hit.at > saved_search.seen_until`;

const unseen: SQL<number> = sql`(
  select count(*)::int from (select from ${unseenHits} limit ${maxHits + 1}) unseen)`;

export async function listSearches(db: Reader, userId: string): Promise<SavedSearch[]> {
  const rows = await db
    .select({
      id: savedSearch.id,
      name: savedSearch.name,
      filters: savedSearch.filters,
      mail: savedSearch.mail,
      unseen,
      createdAt: savedSearch.madeAt,
    })
    .from(savedSearch)
    .where(eq(savedSearch.userId, userId))
    .orderBy(asc(sql`lower(${savedSearch.name})`), asc(savedSearch.id));
  return rows.map((row) => ({ ...row, filters: searchFilters.parse(row.filters) }));
}

type NewSearch = { name: string; filters: SearchFilters; mail: SearchMail };

const noWord: Problem<"search"> = {
  code: "form/incomplete",
  message: "Every item has these words. Please choose another one, a category or a grade.",
  field: "search",
};

/** Saves a search. Items that are already on sale don't count as new. */
export async function saveSearch(
  services: Services,
  actor: Actor,
  { name, mail, filters: input }: NewSearch,
): Promise<SavedSearch> {
  const filters = normalisedFilters(input);
  const problem = savedSearchProblem(name, filters);
  if (problem) throw Refusal.of(problem);
  const { userId } = actor;
  const index = await indexed(services.database, filters);
  if (index === null) throw Refusal.of(noWord);
  return await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, mayTrade);
    // Two concurrent calls must not both find room for one more.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`saved searches of ${userId}`}))`);
    if ((await tx.$count(savedSearch, eq(savedSearch.userId, userId))) >= watchLimits.searches)
      throw new Refusal("resource-exhausted", { message: watchTexts.tooManySearches });
    const id = randomUUID();
    const [row] = await tx
      .insert(savedSearch)
      .values({ id, userId, name: name.trim(), filters, mail, query: index.query })
      .returning({ createdAt: savedSearch.madeAt });
    if (!row) throw new Error("a search was not saved");
    await tx.insert(savedSearchAnchor).values(index.anchors.map((anchor) => ({ searchId: id, ...anchor })));
    return { id, name: name.trim(), filters, mail, unseen: 0, ...row };
  });
}

const ownSearch = ({ userId }: Actor, id: string) =>
  and(eq(savedSearch.id, id), eq(savedSearch.userId, userId));

export async function changeSearch(
  { database }: Services,
  actor: Actor,
  id: string,
  { name, mail }: Pick<NewSearch, "name" | "mail">,
): Promise<void> {
  const problem = savedSearchNameProblem(name);
  if (problem) throw Refusal.of(problem);
  const rows = await database.db
    .update(savedSearch)
    .set({ name: name.trim(), mail })
    .where(ownSearch(actor, id))
    .returning({ id: savedSearch.id });
  if (rows.length === 0) throw new Refusal("not-found");
}

/** Marks the hits of a search so far as seen, and its notifications under the bell as read. */
export async function seeSearch(services: Services, actor: Actor, id: string): Promise<void> {
  await services.database.transaction(async (tx) => {
    const rows = await tx
      .update(savedSearch)
      .set({ seenUntil: sql`clock_timestamp()` })
      .where(ownSearch(actor, id))
      .returning({ id: savedSearch.id });
    if (rows.length === 0) throw new Refusal("not-found");
    await markTopicRead(services, tx, actor.userId, searchTopic(id));
  });
}

export async function removeSearch(services: Services, actor: Actor, id: string): Promise<void> {
  await services.database.transaction(async (tx) => {
    const rows = await tx.delete(savedSearch).where(ownSearch(actor, id)).returning({ id: savedSearch.id });
    if (rows.length === 0) throw new Refusal("not-found");
    await removeUnread(services, tx, searchTopic(id), [actor.userId]);
  });
}

/** Returns the number of unseen items of each search, and the name of the newest one. */
export async function newItemsOf(db: Reader, ids: readonly string[]) {
  const { rows } = await db.execute<{ id: string; items: number; newest: string }>(sql`
    select saved_search.id, count(*)::int as items, (array_agg(found.product_name order by found.at desc))[1] as newest
    from saved_search cross join lateral (
      select product.product_name, hit.at from ${unseenHits} order by hit.at desc limit ${maxHits + 1}) found
    where ${inArray(savedSearch.id, [...ids])} group by saved_search.id`);
  return new Map(rows.map(({ id, ...items }) => [id, items]));
}
