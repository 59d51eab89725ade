import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ProductState, ProductUpdate } from "#contract/auctions.ts";
import { productStatePath } from "#protocol/addresses.ts";
import { type LiveTopic, productTopic } from "#protocol/live-topic.ts";
import { watch } from "./live.ts";
import { newer } from "./newer-state.ts";
import { queryClient } from "./query-client.ts";
import { rpc } from "./rpc.ts";
import { serverClock } from "./server-clock.ts";

/** The query key of the number of people who watch, which only events carry. */
const watchingKeyOf = (productId: string) => ["watching", productId.toLowerCase()] as const;
/** The query key of a product, with the id in lower case as in live events. Null data: it was taken off sale. */
const keyOf = (productId: string) => ["product", productId.toLowerCase()] as const;

/** Whether an event's data is a product update; the server sends nothing else as `product`. */
const isProductUpdate = (data: unknown): data is ProductUpdate =>
  typeof data === "object" &&
  data !== null &&
  "now" in data &&
  typeof data.now === "number" &&
  "product" in data &&
  (data.product === null || isState(data.product));

const isState = (product: unknown): boolean =>
  typeof product === "object" && product !== null && "version" in product && "bids" in product;

/**
 * The state of a product as everyone sees it. Fails with `not-found` for a missing one. An event may overtake the
 * answer: the newer of the two is kept.
 */
export const productQuery = (productId: string) =>
  queryOptions({
    queryKey: keyOf(productId),
    queryFn: async ({ signal }): Promise<ProductState | null> => {
      const context = { address: productStatePath(encodeURIComponent(productId)) };
      const product = await rpc.auctions.product({ productId }, { signal, context });
      return newer(queryClient.getQueryData<ProductState | null>(keyOf(productId)), product);
    },
  });

/**
 * Applies a live event to a product and to the clock. Refetches after an event without an update, since events may have
 * been missed.
 */
export function followProduct(topic: LiveTopic, data: string | null): void {
  const productId = topic.slice(topic.indexOf(":") + 1);
  const queryKey = keyOf(productId);
  const update: unknown = data === null ? null : JSON.parse(data);
  if (!isProductUpdate(update)) return void queryClient.invalidateQueries({ queryKey, exact: true });
  const { now, product, watching } = update;
  serverClock.notEarlierThan(now);
  queryClient.setQueryData<ProductState | null>(queryKey, (before) => newer(before, product));
  queryClient.setQueryData<number | null>(watchingKeyOf(productId), watching ?? null);
}

/** Returns the number of people who watch a product; null if they are few, and before the last minutes. */
export function useWatching(productId: string): number | null {
  const { data } = useQuery<number | null>({ queryKey: watchingKeyOf(productId), queryFn: skipToken });
  return data ?? null;
}

/**
 * Queries a product's state and keeps it current over the tab's stream while the component is mounted. The data becomes
 * null when the product is taken off sale; for a product that never existed, the error is `not-found`.
 */
export function useLiveProduct(productId: string) {
  useEffect(() => {
    const topic = productTopic(productId);
    return topic ? watch(topic, followProduct) : undefined;
  }, [productId]);
  return useQuery(productQuery(productId));
}
