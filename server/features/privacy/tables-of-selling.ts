import { sql } from "drizzle-orm";
import {
  auctionAddition,
  auctionDraft,
  auctionListedRow,
  auctionQuestion,
} from "../auctions/selling/tables.ts";
import { auctionWord } from "../auctions/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";

const productsOf = (id: string) => sql`select id from auction_product where seller_id = ${id}`;

/** The tables of words in item names, item drafts, additions to descriptions, and questions. */
export const tablesOfSelling: readonly TableOfPeople[] = [
  {
    table: auctionWord,
    omittedBecause: "It has the words of all items' names, and says nothing of people.",
    keptBecause: "a word names nobody",
  },
  {
    table: auctionListedRow,
    omittedBecause: "It has hashes of rows that you listed from a file; the items themselves are listed.",
    erase: "cascade",
  },
  {
    table: auctionDraft,
    download: {
      itemDrafts: (id) => sql`
        select form, changed_at as "changedAt" from auction_draft where owner_id = ${id} order by changed_at, id`,
    },
    erase: "cascade",
  },
  {
    table: auctionAddition,
    download: {
      additionsToDescriptions: (id) => sql`
        select product_name as "item", text, auction_addition.at from auction_addition
          join auction_product on auction_product.id = product_id
        where seller_id = ${id} order by auction_addition.at, product_id, number`,
    },
    erase: [({ id }) => sql`delete from auction_addition where product_id in (${productsOf(id)})`],
  },
  {
    table: auctionQuestion,
    download: {
      questions: (id) => sql`
        select product_name as "item", text as "question", auction_question.at as "askedAt", answer,
          answered_at as "answeredAt"
        from auction_question join auction_product on auction_product.id = product_id
        where asker_id = ${id} order by auction_question.at, auction_question.id`,
      answers: (id) => sql`
        select product_name as "item", answer, answered_at as "answeredAt"
        from auction_question join auction_product on auction_product.id = product_id
        where seller_id = ${id} and answer is not null order by answered_at, auction_question.id`,
    },
    // Deletes questions with their asker or their seller, because an answer needs both.
    erase: [
      ({ id }) => sql`
        delete from auction_question where asker_id = ${id} or product_id in (${productsOf(id)})`,
    ],
  },
];
