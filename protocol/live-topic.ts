import { isUuid } from "#domain/uuid.ts";

/**
 * Topics of the viewer's own that a page can watch. `account`: the holder's own account changed. `agents`: the admin's
 * lists of agents changed. `dashboard`: something on the holder's own dashboard changed. `notifications`: the bell has
 * something new. `students`: something about any student changed, for everyone who manages students. `webhooks`:
 * something was sent to the holder's own. Such an event says only that something changed: the page then queries the new
 * state.
 */
const ownTopics = ["account", "agents", "dashboard", "notifications", "students", "webhooks"] as const;
export type OwnTopic = (typeof ownTopics)[number];
/** One product, watched by anyone; its event carries the product's state. */
export type ProductTopic = `product:${string}`;
/** Topics that a page can watch over its one event stream. */
export type LiveTopic = OwnTopic | ProductTopic;

/** Products that one stream can watch. */
export const productsPerStream = 20;

const prefix = "product:";

export const isProductTopic = (topic: LiveTopic): topic is ProductTopic => topic.startsWith(prefix);

/** Returns the topic of a product, or null for a text that is no product's id. */
export function productTopic(productId: string): ProductTopic | null {
  const id = productId.toLowerCase();
  return isUuid(id) ? `${prefix}${id}` : null;
}

function parseTopic(text: string): LiveTopic | null {
  if (text.startsWith(prefix)) return productTopic(text.slice(prefix.length));
  return ownTopics.find((topic) => topic === text) ?? null;
}

/** Reads a list of topics such as `account,product:…`, each once. Unknown ones are left out, and products beyond 20. */
export function parseTopics(list: string): LiveTopic[] {
  const topics = new Set(list.split(",").flatMap((text) => parseTopic(text) ?? []));
  const products = [...topics].filter(isProductTopic).slice(0, productsPerStream);
  return [...[...topics].filter((topic) => !isProductTopic(topic)), ...products];
}

/**
 * Besides topics a stream carries `signed-out`: its session has ended, and the stream ends too. Its data is JSON;
 * `code` is there when the account could not log in again, and is what a login would answer.
 */
export const signedOutEvent = "signed-out";
