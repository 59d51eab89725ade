import { asc, eq } from "drizzle-orm";
import type { ProductState } from "#contract/auctions.ts";
import { auctionBid } from "#server/features/auctions/tables.ts";
import { product } from "./auctions.ts";
import { type Person, person } from "./factories.ts";
import { type Wayfare, wayfare } from "./wayfare.ts";

/** An item on sale, with its seller and people who bid on it. */
type Item = { id: string } & Record<"seller" | "ada" | "bea" | "cleo", Person>;

/** Opens two nodes, one that allows withdrawals by law, and an admin, for tests of bids that no longer count. */
export async function openBidFixture() {
  const w = await wayfare();
  const second = await wayfare({ on: w.address });
  const law = await wayfare({ on: w.address, variables: { BID_WITHDRAWAL: "law" } });
  const student = () => person(w, "student", "active");
  return {
    w,
    second,
    law,
    admin: await person(w, "admin", "active"),

    async onSale(changes: Parameters<typeof product>[2] = {}): Promise<Item> {
      const people = {
        seller: await student(),
        ada: await student(),
        bea: await student(),
        cleo: await student(),
      };
      return { ...people, id: await product(w, people.seller, { startingBid: 15_000, ...changes }) };
    },

    /** Withdraws a person's bids as the law allows. */
    byLaw: ({ caller }: Person, productId: string) =>
      caller.on(law.app).call("sales.withdrawBids", { productId }),

    history: (productId: string) =>
      w.services.database.db
        .select()
        .from(auctionBid)
        .where(eq(auctionBid.productId, productId))
        .orderBy(asc(auctionBid.number)),

    async publicState(node: Wayfare, productId: string): Promise<ProductState> {
      const state = await node.services.products.read(productId);
      if (!state) throw new Error("there is no such product");
      return state;
    },

    async stop(): Promise<void> {
      await law.stop();
      await second.stop();
      await w.stop();
    },
  };
}
