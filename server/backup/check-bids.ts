import type pg from "pg";

/** Most problems of one kind that are read. If there are more, the first ones say enough. */
const most = 100;

type Problem = { product: string; problem: string };

/** Compares each bid with the one before it and with its product. */
const historyText = `
  with bid as (
    select *,
      coalesce(lag(number) over history, 0) as earlier,
      lag(amount) over history as amount_before,
      lag(created_at) over history as created_before
    from auction_bid window history as (partition by product_id order by number)
  ),
  judged as (
    select bid.product_id as product, 'bid ' || number || ' ' || case
      when p.id is null then 'is for no product'
      when number <> earlier + 1 then 'follows bid ' || earlier
      when amount < amount_before and kind in ('bid', 'auto') then 'is below the bid before it'
      when amount < p.starting_bid and (kind in ('bid', 'auto') or amount > 0) then 'is below the starting bid'
      when kind in ('withdrawn', 'voided') and not exists (
        select from bid_withdrawal w where w.product_id = bid.product_id and w.number = bid.number)
        then 'withdraws bids for no reason'
      when bid.created_at < created_before then 'is older than the bid before it'
      when bid.created_at >= b.ends_at then 'came after the end'
      when bidder_id = p.seller_id then 'is the seller''s own'
    end as problem
    from bid
    left join auction_product p on p.id = bid.product_id
    left join auction_bidding b on b.product_id = bid.product_id
  )
  select product, problem from judged where problem is not null limit ${most}`;

/** Compares the stored state of a product's bidding with its bids. */
const stateText = `
  with judged as (
    select p.id as product, case
      when b.product_id is null then 'has no bidding'
      when b.bid_count <> coalesce(latest.number, 0)
        then 'counts ' || b.bid_count || ' bids and has ' || coalesce(latest.number, 0)
      when b.price <> coalesce(nullif(latest.amount, 0), p.starting_bid) then 'has another price than its highest bid'
      when latest.kind in ('withdrawn', 'voided') and (b.highest_bidder_id is null) <> (latest.amount = 0)
        then 'has another leader than its highest bid'
      when coalesce(latest.kind, 'bid') in ('bid', 'auto') and b.highest_bidder_id is distinct from latest.bidder_id
        then 'has another leader than its highest bid'
      when b.version <= b.bid_count then 'has a version that its bids are ahead of'
      when b.open <> (p.state = 'open') then 'is open for bids and closed at the same time'
      when p.state = 'sold' and not exists (
        select from auction_bid won where won.product_id = p.id and won.bidder_id = coalesce(p.winner_id, won.bidder_id)
          and (won.amount = p.winning_bid or (won.amount > p.winning_bid and (
            exists (select from bid_withdrawal w where w.product_id = p.id)
            or exists (select from sale s where s.product_id = p.id and s.kind = 'secondChance')))))
        then 'was sold for what its winner has not bid'
    end as problem
    from auction_product p
    left join auction_bidding b on b.product_id = p.id
    left join lateral (
      select number, amount, bidder_id, kind from auction_bid
      where product_id = p.id order by number desc limit 1) latest on true
  )
  select product, problem from judged where problem is not null limit ${most}`;

/** Compares the stored bidders of a product with their bids, unless a withdrawal has changed which of them count. */
const biddersText = `
  with latest as (
    select product_id, bidder_id, max(number) as number, max(amount) as amount, min(created_at) as since
    from auction_bid where kind in ('bid', 'auto') group by product_id, bidder_id
  )
  select product_id as product, 'lists a bidder otherwise than their bids do' as problem
  from latest full join auction_bidder b using (product_id, bidder_id)
  where (latest.number, latest.amount, latest.since) is distinct from (b.number, b.amount, b.since)
    and not exists (select from bid_withdrawal w where w.product_id = coalesce(latest.product_id, b.product_id))
  limit ${most}`;

export type BidCheck = { bids: number; products: number };

/** Reports every product whose bids contradict each other or its state. Reads the caller's snapshot. */
export async function checkBids(client: pg.Client, report: (problem: string) => void): Promise<BidCheck> {
  for (const text of [historyText, stateText, biddersText]) {
    const { rows } = await client.query<Problem>(text);
    for (const { product, problem } of rows) report(`Product ${product}: ${problem}`);
    if (rows.length === most) report(`Perhaps there are more than these ${most}`);
  }
  const { rows } = await client.query<{ bids: string; products: string }>(
    "select (select count(*) from auction_bid) as bids, (select count(*) from auction_product) as products",
  );
  return { bids: Number(rows[0]?.bids), products: Number(rows[0]?.products) };
}
