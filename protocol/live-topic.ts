import { isUuid } from "#domain/uuid.ts";

/**
 * What a page can watch of its viewer's own. `account`: the holder's own account changed. `agents`: the admin's lists
 * of agents changed. `dashboard`: something on the holder's own dashboard changed. `notifications`: the bell has something
 * new. `students`: something about any student changed, for everyone who manages students. `webhooks`: something was sent
 * to the holder's own. Such an event says only that something changed: the page asks again for the truth.
 */
const ownTopics = ["account", "agents", "dashboard", "notifications", "students", "webhooks"] as const;
export type OwnTopic = (typeof ownTopics)[number];
/** One product, watched by anyone; its event carries the product's state. */
export type ProductTopic = `product:${string}`;
/** What a page can watch over its one event stream. */
export type LiveTopic = OwnTopic | ProductTopic;

/** Products that one stream can watch. */
export const productsPerStream = 20;

const prefix = "product:";

export const isProductTopic = (topic: LiveTopic): topic is ProductTopic => topic.startsWith(prefix);

/** The topic of a product; null for what is no product's id. */
export function productTopic(productId: string): ProductTopic | null {
  const id = productId.toLowerCase();
  return isUuid(id) ? `${prefix}${id}` : null;
}

function parseTopic(text: string): LiveTopic | null {
  if (text.startsWith(prefix)) return productTopic(text.slice(prefix.length));
  return ownTopics.find((topic) => topic === text) ?? null;
}

/** The topics in a list such as `account,product:…`, each once; what is none is left out, and products beyond 20. */
export function parseTopics(list: string): LiveTopic[] {
  const topics = new Set(list.split(",").flatMap((text) => parseTopic(text) ?? []));
  const products = [...topics].filter(isProductTopic).slice(0, productsPerStream);
  return [...[...topics].filter((topic) => !isProductTopic(topic)), ...products];
}

/**
 * Besides topics a stream carries `signed-out`: its session has ended, and so does the stream. Its data is JSON; `code`
 * is there when the account could not log in again, and is what a login would answer.
 */
export const signedOutEvent = "signed-out";
