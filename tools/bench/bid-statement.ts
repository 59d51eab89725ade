import { minIncrement } from "#domain/bid.ts";

/** Decides and stores a bid in one statement, given product, cents, bidder and key. */
export const bidStatement = {
  name: "bid",
  text: `
  with standing as (
    update auction_bidding
    set price = $2::bigint, highest_bidder_id = $3, bid_count = bid_count + 1, version = version + 1
    where product_id = $1::uuid and open
      and $2::bigint >= case when bid_count = 0 then price else price + ${minIncrement} end
    returning bid_count)
  insert into auction_bid (product_id, number, bidder_id, amount, idempotency_key, created_at)
  select $1::uuid, bid_count, $3, $2::bigint, $4::uuid, clock_timestamp() from standing`,
};
