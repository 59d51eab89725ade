import { sql } from "drizzle-orm";
import {
  bidWithdrawal,
  noSecondChances,
  sale,
  saleEvent,
  secondChance,
  strike,
  tradingBar,
  voidRequest,
} from "../auctions/sales/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";

/** The tables of sales, of what follows them, and of bids that no longer count. */
export const tablesOfSales: readonly TableOfPeople[] = [
  {
    table: voidRequest,
    omittedBecause: "It has what sellers ask administrators about other people's bids.",
    erase: [
      ({ id }) => sql`
        delete from void_request where bidder_id = ${id}
          or product_id in (select id from auction_product where seller_id = ${id})`,
    ],
  },
  {
    table: bidWithdrawal,
    download: {
      withdrawnBids: (id) => sql`
        select product_name as "item", form, intended_amount as "meantInCents", reason, at
        from bid_withdrawal left join auction_product on auction_product.id = product_id
        where bidder_id = ${id} order by at, product_id, number`,
    },
    keptBecause: "like a bid it counts for others; it has only its bidder's former id",
    erase: [({ id }) => sql`update bid_withdrawal set intended_amount = null where bidder_id = ${id}`],
  },
  {
    table: noSecondChances,
    omittedBecause: "It only says that you want no second chances, which My bids shows.",
    erase: "cascade",
  },
  {
    table: secondChance,
    download: {
      secondChances: (id) => sql`
        select product_name as "item", amount as "amountInCents", at, until, second_chance.state
        from second_chance join auction_product on auction_product.id = product_id
        where bidder_id = ${id} order by at, second_chance.id`,
    },
    erase: "cascade",
  },
  {
    table: tradingBar,
    omittedBecause: "It only sums up your strikes, which are listed one by one.",
    erase: "cascade",
  },
  {
    table: strike,
    download: {
      strikes: (id) => sql`
        select product_name as "item", at, until, lifted_at as "liftedAt", strike.reason
        from strike join sale on sale.id = sale_id join auction_product on auction_product.id = product_id
        where account_id = ${id} order by at, strike.id`,
    },
    erase: "cascade",
  },
  {
    table: saleEvent,
    download: {
      saleEvents: (id) => sql`
        select product_name as "item", sale_event.at, sale_event.kind, sale_event.reason,
          case when actor_id = ${id} then 'you' when actor_id is not null then 'somebody else' end as by
        from sale_event join sale on sale.id = sale_id join auction_product on auction_product.id = product_id
        where ${id} in (sale.seller_id, sale.buyer_id) order by sale_event.at, sale_id, number`,
    },
    keptBecause: "the other side keeps the record of the sale; it has only former ids",
    // Events are append-only. The application's database role can blank their texts only through this function.
    erase: [({ id }) => sql`select erase_sale_reasons(${id})`],
  },
  {
    table: sale,
    download: {
      sales: (id) => sql`
        select product_name as "item", case when sale.seller_id = ${id} then 'seller' else 'buyer' end as "youAre",
          amount as "amountInCents", sale.kind, sale.state, made_at as "madeAt", ended_at as "endedAt"
        from sale join auction_product on auction_product.id = product_id
        where ${id} in (sale.seller_id, sale.buyer_id) order by made_at, sale.id`,
    },
    keptBecause: "the other side keeps the sale, without the account",
  },
];
