import { and, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import { contactDays, type Tie } from "#domain/deletion.ts";
import { user } from "#server/features/account/tables.ts";
import type { Reader } from "#server/platform/database.ts";

const contact = sql.raw(`interval '${contactDays} days'`);

/**
 * Selects the ties of an account, in a query of `user`. Its columns are written as text, because Drizzle would omit the
 * table's name. A leading bid may become a sale.
 */
const ties = sql`(
  select product_name as product, 'sale' as kind, closed_at + ${contact} as until
  from auction_product where state = 'sold' and seller_id = "user".id
  union all
  select product_name, 'sale', closed_at + ${contact}
  from auction_product where state = 'sold' and winner_id = "user".id
  union all
  select product_name, 'sale', greatest(
    case when sale.kind = 'secondChance' then made_at + ${contact} end,
    case when sale.state = 'awaiting' then due_at end)
  from sale join auction_product on auction_product.id = sale.product_id
  where "user".id in (sale.seller_id, sale.buyer_id) and (sale.kind = 'secondChance' or sale.state = 'awaiting')
  union all
  select product_name, 'item', ends_at + ${contact}
  from auction_product
  join auction_bidding on auction_bidding.product_id = auction_product.id
  where state = 'open' and seller_id = "user".id
  union all
  select product_name, 'bid', case when highest_bidder_id = "user".id then ends_at + ${contact} else ends_at end
  from auction_bidder
  join auction_product on auction_product.id = auction_bidder.product_id and state = 'open'
  join auction_bidding on auction_bidding.product_id = auction_bidder.product_id
  where bidder_id = "user".id and not auction_bidder.withdrawn
)`;

/**
 * Selects the date of an account's erasure, in a query of `user`; null if none is due (docs/product.md, "Deleting an
 * account"). The bids of a disabled or revoked account don't count, so its erasure isn't delayed.
 */
export const erasedOn: SQL<Date | null> = sql`case
  when "user".deletion_due_at is null or "user".status in ('disabled', 'revoked') then "user".deletion_due_at
  else greatest("user".deletion_due_at, (select max(until) from ${ties} tie)) end`.mapWith(
  user.deletionDueAt,
);

/** Returns the erasure dates of those accounts that have one. */
export async function readErasureDates(
  db: Reader,
  ids: readonly string[],
): Promise<Map<string, Date | null>> {
  if (ids.length === 0) return new Map();
  const due = and(inArray(user.id, [...ids]), isNotNull(user.deletionDueAt));
  const rows = await db.select({ id: user.id, on: erasedOn }).from(user).where(due);
  return new Map(rows.map(({ id, on }) => [id, on]));
}

/**
 * Returns the date on which an account is erased, and the ties that delay a leaving account's erasure, the last first.
 */
export async function readErasure(db: Reader, userId: string): Promise<{ on?: Date; ties: Tie[] }> {
  const { rows } = await db.execute<{
    on: string | null;
    product: string | null;
    kind: Tie["kind"];
    until: string;
  }>(sql`
    select to_json(${erasedOn}) #>> '{}' as "on", product, kind, to_json(until) #>> '{}' as until
    from "user" left join lateral (
      select * from ${ties} tie where until > "user".deletion_due_at order by until desc, product limit 20
    ) tie on "user".status = 'leaving'
    where "user".id = ${userId}`);
  const on = rows[0]?.on;
  return {
    ...(on && { on: new Date(on) }),
    ties: rows.flatMap(({ product, kind, until }) =>
      product === null ? [] : [{ product, kind, until: new Date(until) }],
    ),
  };
}
