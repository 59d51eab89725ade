import type { ListedPage, ProductState } from "#contract/auctions.ts";
import type { FirstSightCode } from "#contract/first-sight.ts";
import { productPreview } from "#server/features/auctions/preview.ts";
import type { SightOf } from "#server/platform/filled-page.ts";
import { picturePreload, previewTags } from "#server/platform/page-head.ts";

const baseUrl = "https://wayfare.example";
const morning = Date.UTC(2026, 2, 2, 8);
const evening = Date.UTC(2026, 2, 2, 20);
const picture = { id: "11111111-1111-4111-8111-111111111111", width: 1600, height: 1200 };

const open: ProductState = {
  id: "22222222-2222-4222-8222-222222222222",
  version: 3,
  productName: 'Desk & "lamp" <new>',
  description: "Solid walnut.\nTwo drawers.",
  category: "home",
  subcategory: "Furniture",
  grade: "Grade A+",
  startingBid: 15_000,
  createdAt: morning,
  endDate: evening,
  state: "open",
  price: 16_000,
  leastBid: 16_100,
  bidCount: 2,
  leader: "a",
  winner: null,
  winningBid: null,
  pictures: [picture, { ...picture, id: "33333333-3333-4333-8333-333333333333" }],
  bids: [
    { number: 2, bidder: "A***i", tag: "a", amount: 16_000, at: morning + 2000 },
    { number: 1, bidder: "M***n", tag: "m", amount: 15_000, at: morning + 1000 },
  ],
};
const sold: ProductState = { ...open, state: "sold", winner: "a", winningBid: 16_000 };
const bare: ProductState = { ...open, state: "unsold", leader: null, bidCount: 0, pictures: [], bids: [] };
const products = new Map([open, sold, bare].map((product) => [`/product/${product.state}`, product]));
/** Addresses of products that `sampleSights` knows. */
export const sampleProducts: readonly string[] = [...products.keys()];

const card = {
  ...open,
  endDate: new Date(evening),
  picture,
};
const list: ListedPage = {
  now: new Date(morning),
  products: [card, { ...card, id: "44444444-4444-4444-8444-444444444444", picture: null }],
  next: "more",
};

/** Pages filled as the server fills them, with products that stand still: for whoever checks what is written. */
export function sampleSights(code: FirstSightCode): SightOf {
  return async (path) => {
    const product = products.get(path);
    const { markup, picture: first } = product ? code.product(product) : code.auctions("", list);
    return {
      ahead: picturePreload(first),
      tags: product ? previewTags(productPreview(product, baseUrl)) : "",
      markup,
      answer: JSON.stringify(product ?? list),
      at: morning,
      heldFor: 0,
    };
  };
}
