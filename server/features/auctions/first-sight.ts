import { StandardRPCJsonSerializer } from "@orpc/client/standard";
import { call } from "@orpc/server";
import type { ProductState } from "#contract/auctions.ts";
import type { FirstSightCode } from "#contract/first-sight.ts";
import { createBrief, within } from "#server/platform/brief.ts";
import type { Sight, SightOf } from "#server/platform/filled-page.ts";
import { picturePreload, previewTags } from "#server/platform/page-head.ts";
import type { Services } from "#server/services.ts";
import { productPreview } from "./preview.ts";
import { auctions } from "./procedures.ts";

/** Milliseconds for which what was made is sent to whoever asks for the same. */
const heldFor = 1_000;
/** Milliseconds that a page waits for what it could show first. */
const patience = 300;
/** Different lists that are made at a time; a page that would need yet another one goes out without. */
const atOnce = 4;

const addressOfProduct = /^\/product\/([^/]*)\/?$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const serializer = new StandardRPCJsonSerializer();

/** The open auctions as the call `auctions.list` answers a visitor who asks what the address asks. */
function listSights(services: Services, code: FirstSightCode) {
  const brief = createBrief<Sight>(heldFor, atOnce);

  async function make(search: string, asked: ReturnType<FirstSightCode["productsAsked"]>): Promise<Sight> {
    const page = await call(auctions.list, asked, { context: { services, session: null, address: "" } });
    const { markup, picture } = code.auctions(search, page);
    const [json, meta] = serializer.serialize(page);
    const answer = JSON.stringify({ json, meta });
    return { ahead: picturePreload(picture), tags: "", markup, answer, at: page.now.getTime(), heldFor };
  }

  return async (search: string): Promise<Sight | null> => {
    const asked = code.productsAsked(search);
    const made = brief(JSON.stringify(asked), () => make(search, asked));
    return made && (await within(patience, made));
  };
}

/** A product as GET /auctions/products/{id} answers it. */
function productSights({ products, environment }: Services, code: FirstSightCode) {
  const made = new WeakMap<ProductState, Sight>();

  function make(product: ProductState): Sight {
    const at = Date.now();
    const { markup, picture } = code.product(product);
    const tags = previewTags(productPreview(product, environment.baseUrl));
    return { ahead: picturePreload(picture), tags, markup, answer: JSON.stringify(product), at, heldFor };
  }

  return async (id: string): Promise<Sight | "missing" | null> => {
    if (!uuid.test(id)) return "missing";
    const read = products.read(id).then((product) => ({ product }));
    const found = await within(patience, read);
    if (!found?.product) return found && "missing";
    const known = made.get(found.product);
    if (known && Math.abs(Date.now() - known.at) <= heldFor) return known;
    const fresh = make(found.product);
    made.set(found.product, fresh);
    return fresh;
  };
}

/**
 * What the pages of the marketplace show before the application runs. A page goes out without it when it can't be had
 * at once: the page then asks by itself, and tells what is wrong.
 */
export function auctionSights(services: Services, code: FirstSightCode): SightOf {
  const list = listSights(services, code);
  const product = productSights(services, code);
  return async (path, search) => {
    const id = addressOfProduct.exec(path)?.[1]?.toLowerCase();
    try {
      return await (id === undefined ? list(search) : product(id));
    } catch (error) {
      services.log.warn({ err: error }, "what a page shows first could not be made");
      return null;
    }
  };
}
