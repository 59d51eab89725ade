import type { ProductState } from "#contract/auctions.ts";
import type { ItemDraft } from "#contract/selling.ts";
import { auctionTexts } from "#domain/auction.ts";
import { type DraftField, type DraftForm, draftFields } from "#domain/item-draft.ts";
import { amountInput, parseAmount } from "#domain/money.ts";
import { checkProduct, parseCourier } from "#domain/product-check.ts";
import { pictureAddress } from "#protocol/picture-files.ts";
import { draftOf, keepDraft } from "../../../lib/drafts.ts";
import { serverNow } from "../../../lib/server-clock.ts";
import { localDate, localInput } from "./local-date.ts";

/** The fields of the form that describes an item; `endDate` is in its input's format. */
export const itemFields = draftFields;
export type ItemTexts = Record<DraftField, string>;

/**
 * Checks the form before anything is sent. Only the server's clock decides whether the end date is within its limits.
 */
export function problemIn(texts: ItemTexts, images: number) {
  const form = { ...texts, endDate: localDate(texts.endDate), softClose: texts.softClose !== "off", images };
  const product = checkProduct(form, new Date(serverNow()));
  return "code" in product && product.message !== auctionTexts.endDate ? product : null;
}

/** Returns the form's texts as a draft keeps them, with the end in UTC. */
export const draftFormOf = (texts: ItemTexts): DraftForm => ({
  ...texts,
  endDate: localDate(texts.endDate)?.toISOString() ?? "",
});

/** Returns a draft's texts as the form shows them. An end that has passed must be chosen again. */
export function textsOfDraft({ form }: ItemDraft): ItemTexts {
  const endDate = new Date(form.endDate);
  const isAhead = endDate.getTime() > serverNow();
  const softClose = form.softClose === "off" ? "off" : "on";
  return { ...form, endDate: isAhead ? localInput(endDate) : "", softClose };
}

/** Returns a product's texts as the form shows them. */
export function textsOfProduct(product: ProductState): ItemTexts {
  const { productName, description, category, subcategory, grade, handover, collectionPlace } = product;
  return {
    productName,
    description,
    category,
    subcategory,
    grade,
    handover,
    collectionPlace,
    startingBid: amountInput(product.startingBid),
    courier: product.courier === null ? "" : amountInput(product.courier),
    endDate: localInput(new Date(product.endDate)),
    softClose: product.latestEnd === null ? "off" : "on",
  };
}

/** Returns the changes of an edited form. An unchanged end keeps its seconds. */
export function changesOf(texts: ItemTexts, product: ProductState) {
  const amount = parseAmount(texts.startingBid);
  const courier = parseCourier(texts.courier);
  const endDate = localDate(texts.endDate);
  const isSameEnd = texts.endDate === localInput(new Date(product.endDate));
  const { productName, description, subcategory, handover, collectionPlace } = texts;
  return {
    productName,
    description,
    subcategory,
    handover,
    collectionPlace,
    softClose: texts.softClose !== "off",
    ...(amount.kind === "amount" && { startingBid: amount.cents }),
    ...(courier.kind === "courier" && { courier: courier.courier }),
    ...(endDate && !isSameEnd && { endDate }),
  };
}

/** Puts stored texts into a form that has no typed texts yet. */
export function prefill(form: string, texts: ItemTexts): void {
  if (Object.keys(draftOf(form)).length === 0) keepDraft(form, texts, {}, itemFields);
}

/** Returns stored pictures as the form shows them. */
export const storedPictures = (pictures: readonly { id: string }[]) =>
  pictures.map(({ id }) => ({ id, preview: pictureAddress(id, 320, "jpg") }));
