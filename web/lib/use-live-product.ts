import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { type LiveTopic, productTopic } from "#protocol/live-topic.ts";
import { askForProduct, productQuery, takeProductNews } from "./product-state.ts";
import { watch } from "./use-live.ts";

function follow(topic: LiveTopic, data: string | null): void {
  const productId = topic.slice(topic.indexOf(":") + 1);
  if (data === null) askForProduct(productId);
  else takeProductNews(productId, data);
}

/**
 * The query of a product's state, kept current by the tab's stream while the component is mounted. Its data becomes
 * null when the product is taken off sale; what never was is the error `not-found`.
 */
export function useLiveProduct(productId: string) {
  useEffect(() => {
    const topic = productTopic(productId);
    return topic ? watch(topic, follow) : undefined;
  }, [productId]);
  return useQuery(productQuery(productId));
}
