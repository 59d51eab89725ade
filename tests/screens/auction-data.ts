import { randomUUID } from "node:crypto";
import type { BrowserContext } from "@playwright/test";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { centsPerRand } from "#domain/money.ts";
import { auctionPicture } from "#server/features/auctions/tables.ts";
import { matchItem } from "#server/features/auctions/watching/match-item.ts";
import { closed, product, storedProduct } from "#tests/support/auctions.ts";
import { uploadHeaders } from "#tests/support/documents.ts";
import { endsIn, inDatabase } from "../e2e/auctioneer.ts";
import { call } from "../e2e/call.ts";
import type { Server } from "../e2e/server.ts";
import type { Browsers } from "./fixture.ts";

const day = 24 * 3_600_000;
type Offer = Parameters<typeof product>[2];

/** The seller's open and ended products. The student and the new agent bid in turn. */
const offers = {
  fresh: {
    productName: "Road bicycle, 54 cm, with lights",
    category: "home",
    subcategory: "Decor",
    startingBid: 320_000,
    collectionPlace: "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch",
    courier: 0,
    endDate: new Date(Date.now() + 6 * day),
  },
  winning: {
    productName: "Walnut writing desk",
    collectionPlace: "Cape Town",
    courier: 9_900,
    endDate: new Date(Date.now() + 2 * day),
  },
  outbid: {
    productName: "Mirrorless camera with two lenses, a bag and everything that came in the box",
    category: "electronics",
    subcategory: "Accessories",
    grade: "Grade A+",
    startingBid: 480_000,
  },
  won: { productName: "Reading lamp", subcategory: "Decor", startingBid: 12_000 },
  lost: {
    productName: "Winter coat, dark blue",
    category: "fashion",
    subcategory: "Clothing",
    grade: "Grade B",
  },
  voided: {
    productName: "Bookshelf, oak",
    subcategory: "Furniture",
    endDate: new Date(Date.now() + 3 * day),
  },
  withdrawn: { productName: "Kettle", subcategory: "Appliances" },
  removed: {
    productName: "Laptop, 14 inch",
    category: "electronics",
    subcategory: "Laptops",
    grade: "New",
    startingBid: 640_000,
  },
  unsold: {
    ...closed,
    productName: "Dining table",
    endDate: new Date(Date.now() - 3 * day),
    closedAt: new Date(Date.now() - 3 * day),
  },
} satisfies Record<string, Offer>;
export type Products = Record<keyof typeof offers, string>;

/** The bids on each, in rand: every other one is the student's, who begins if their number is even. */
const bids: Partial<Record<keyof Products, readonly number[]>> = {
  winning: [150, 180, 220.5, 240, 305],
  outbid: [4_800, 5_150],
  won: [120, 140, 165],
  lost: [150, 151],
  voided: [150, 900],
  withdrawn: [150],
  removed: [6_400],
};

async function bidOn(server: Server, { student, newAgent }: Browsers, products: Products): Promise<void> {
  for (const [name, amounts] of Object.entries(bids))
    for (const [place, amount] of amounts.entries())
      await call((place % 2 === 0 ? student : newAgent).request, server.url, "auctions/bid", {
        productId: products[name as keyof Products],
        amount: amount * centsPerRand,
        idempotencyKey: randomUUID(),
      });
}

/** Paints a still life in two colours, so that pages of pictures look like that. */
const still = (light: string, dark: string, [width, height]: Size) =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"
      viewBox="0 0 1200 900" preserveAspectRatio="xMidYMid slice">
      <rect width="1200" height="900" fill="${light}"/><path d="M0 640h1200v260H0z" fill="${dark}" opacity=".35"/>
      <circle cx="820" cy="330" r="150" fill="${dark}" opacity=".5"/><path d="M250 690l190-330 190 330z" fill="${dark}"/>
    </svg>`),
  )
    .jpeg()
    .toBuffer();

type Size = readonly [width: number, height: number];
const landscape: Size = [1200, 900];
const shots = [
  ["winning", "#e9dcc9", "#7a5234", landscape],
  ["winning", "#f3eee6", "#5e4630", [2400, 800]],
  ["winning", "#d9e2dd", "#0e5a4e", [900, 1600]],
  ["outbid", "#dde3ea", "#2c3e57", landscape],
  ["won", "#fbeeda", "#d88a2f", [900, 1600]],
] as const;

async function takePictures(server: Server, { request }: BrowserContext, products: Products): Promise<void> {
  for (const [position, [name, light, dark, size]] of shots.entries()) {
    const response = await request.post(`${server.url}/files/auction-pictures`, {
      headers: { ...uploadHeaders("picture"), origin: server.url },
      data: await still(light, dark, size),
      maxRetries: 2,
    });
    const { id } = await response.json();
    await inDatabase(server, ({ services: { database } }) =>
      database.db
        .update(auctionPicture)
        .set({ productId: products[name], position })
        .where(eq(auctionPicture.id, id)),
    );
  }
}

/** Asks and answers questions, adds to a description, and keeps drafts. */
async function talkAbout(server: Server, { student, seller }: Browsers, products: Products): Promise<void> {
  const ask = (productId: string, text: string) =>
    call(student.request, server.url, "auctions/ask", { productId, text });
  const { id } = Object(await ask(products.winning, "Do the drawers lock? I'd keep documents in them."));
  await call(seller.request, server.url, "auctions/answer", {
    questionId: id,
    answer: "The upper one does.\nIts key is there.",
  });
  await ask(products.winning, "Can I collect it on a Saturday?");
  await ask(products.fresh, "Averylongquestionwithoutanyspacesinitthatgoesonandonandonandonandonandonandon?");
  await call(seller.request, server.url, "auctions/addToDescription", {
    productId: products.winning,
    text: "I found the second key. It comes with the desk.",
  });
  for (const productName of ["A lamp with a green shade", ""])
    await call(seller.request, server.url, "auctions/saveDraft", {
      form: { productName, description: "Still to be described." },
      images: [],
    });
}

/** Has the student watch some of the products and save searches, one of them with new items. */
async function watch(server: Server, { request }: BrowserContext, products: Products): Promise<void> {
  for (const productId of [products.fresh, products.winning, products.outbid, products.lost])
    await call(request, server.url, "watching/watch", { productId });
  const save = (name: string, filters: object, mail: string) =>
    call(request, server.url, "watching/saveSearch", { name, filters, mail });
  await save("Bicycles", { search: "bicycle", priceTo: 500_000 }, "daily");
  await save(
    "Mirrorless cameras with lenses, for the course in September",
    {
      search: "mirrorless camera lens",
      category: "electronics",
      subcategory: "Accessories",
      grade: "Grade A+",
    },
    "never",
  );
  await inDatabase(server, ({ services: { database } }) => matchItem(database, products.fresh));
}

/** Ends the auctions, and waits until the server has settled them. */
async function end(server: Server, productIds: readonly string[]): Promise<void> {
  for (const id of productIds) await endsIn(server, id, 0);
  await inDatabase(server, async (store) => {
    for (const id of productIds)
      while ((await storedProduct(store, id))?.state === "open")
        await new Promise((resolve) => setTimeout(resolve, 100));
  });
}

/** Creates everything on the pages of the marketplace. */
export async function prepareAuctions(
  server: Server,
  browsers: Browsers,
  id: { seller: string },
): Promise<Products> {
  const created = await inDatabase(server, (store) =>
    Promise.all(
      Object.entries(offers).map(async ([name, offer]) => [
        name,
        await product(store, { id: id.seller }, offer),
      ]),
    ),
  );
  const products: Products = Object.fromEntries(created);
  await takePictures(server, browsers.seller, products);
  await bidOn(server, browsers, products);
  await talkAbout(server, browsers, products);
  await watch(server, browsers.student, products);
  await end(server, [products.won, products.lost]);
  const remove = ({ request }: BrowserContext, productId: string, reason: string) =>
    call(request, server.url, "auctions/remove", { productId, reason });
  await remove(browsers.seller, products.withdrawn, "");
  await call(browsers.admin.request, server.url, "sales/voidBids", {
    productId: products.voided,
    number: 2,
    reason: "The bidder says that it was a joke, and that somebody else typed it on their telephone.",
  });
  await remove(browsers.admin, products.removed, "The pictures show another item.");
  return products;
}
