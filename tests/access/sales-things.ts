import { eq } from "drizzle-orm";
import { giveStrike } from "#server/features/auctions/sales/strikes.ts";
import { secondChance, strike, voidRequest } from "#server/features/auctions/sales/tables.ts";
import { bid, product } from "#tests/support/auctions.ts";
import { person } from "#tests/support/factories.ts";
import { fellThrough, soldItem } from "#tests/support/sales.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";
import type { Thing } from "./thing.ts";

const someone = (w: Wayfare) => person(w, "student", "active");

async function sold(w: Wayfare) {
  const [owner, buyer, other] = [await someone(w), await someone(w), await someone(w)];
  const ids = await soldItem(w, { seller: owner, buyer, others: [[other, 42_000]] });
  return { ...ids, owner, other, words: [owner.email, buyer.email] };
}

async function offered(w: Wayfare) {
  const { productId, saleId, owner, other, words } = await sold(w);
  await fellThrough(w, saleId);
  const [offer] = await w.services.database.db
    .insert(secondChance)
    .values({
      productId,
      bidderId: other.id,
      amount: 10_000,
      until: new Date(Date.now() + 3_600_000),
      at: new Date(),
    })
    .returning({ id: secondChance.id });
  return { id: offer?.id ?? "", owner, other, words };
}

/** Functions that create the results of a sale, and bids that no longer count. */
export const salesThings = {
  /** Creates a sale whose seller is the owner. */
  async sale(w: Wayfare): Promise<Thing> {
    const { saleId: id, owner, words } = await sold(w);
    return { id, owner, words };
  },

  async soldItem(w: Wayfare): Promise<Thing> {
    const { productId: id, owner, words } = await sold(w);
    return { id, owner, words };
  },

  /** Creates a second chance whose owner offers it. */
  async madeOffer(w: Wayfare): Promise<Thing> {
    const { id, owner, words } = await offered(w);
    return { id, owner, words };
  },

  /** Creates a second chance whose owner gets it. */
  async ownOffer(w: Wayfare): Promise<Thing> {
    const { id, other, words } = await offered(w);
    return { id, owner: other, words };
  },

  async itemWithBid(w: Wayfare): Promise<Thing> {
    const [owner, bidder] = [await someone(w), await someone(w)];
    const id = await product(w, owner);
    await bid(bidder.caller, id, 150);
    return { id, owner, words: [owner.email, bidder.email] };
  },

  async voidRequest(w: Wayfare): Promise<Thing> {
    const [owner, bidder] = [await someone(w), await someone(w)];
    const productId = await product(w, owner);
    await bid(bidder.caller, productId, 150);
    const [row] = await w.services.database.db
      .insert(voidRequest)
      .values({ productId, bidderId: bidder.id, reason: "Never pays.", at: new Date() })
      .returning({ id: voidRequest.id });
    return { id: row?.id ?? "", owner, words: [bidder.email] };
  },

  async strike(w: Wayfare): Promise<Thing> {
    const { saleId, owner, words } = await sold(w);
    await w.services.database.transaction((tx) =>
      giveStrike(tx, { accountId: owner.id, saleId, at: new Date() }),
    );
    const [row] = await w.services.database.db
      .select({ id: strike.id })
      .from(strike)
      .where(eq(strike.saleId, saleId));
    return { id: row?.id ?? "", owner, words };
  },
} satisfies Record<string, (w: Wayfare) => Promise<Thing>>;
