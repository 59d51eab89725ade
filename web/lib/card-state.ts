import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { CardState, CardUpdate } from "#contract/listed-products.ts";
import { cardsPerStream, cardTopic, type LiveTopic } from "#protocol/live-topic.ts";
import { watch } from "./live.ts";
import { newer } from "./newer-state.ts";
import { queryClient } from "./query-client.ts";
import { rpc } from "./rpc.ts";
import { serverClock } from "./server-clock.ts";

/** A product as its card shows it; null once it was taken off sale. */
type Card = CardState | null;

const cardQuery = (productId: string) =>
  queryOptions<Card>({ queryKey: ["card", productId], queryFn: skipToken });

/** Whether an event's data is a card update; the server sends nothing else as `card`. */
const isCardUpdate = (data: unknown): data is CardUpdate =>
  typeof data === "object" && data !== null && "now" in data && "card" in data;

/** Puts a card's state into the cache, unless that has a newer one. */
function keep(productId: string, card: Card): void {
  queryClient.setQueryData(cardQuery(productId).queryKey, (before: Card | undefined) => newer(before, card));
}

/** Ids of the products whose current state has to be fetched, with one request for all of the stream. */
const missed = new Set<string>();
let fetchTimer: ReturnType<typeof setTimeout> | undefined;

async function fetchMissed(): Promise<void> {
  fetchTimer = undefined;
  const productIds = [...missed].slice(0, cardsPerStream);
  missed.clear();
  const answer = await rpc.auctions.cards({ productIds }).catch(() => null);
  // Without an answer the cards keep what they show until the next event.
  if (!answer) return;
  serverClock.notEarlierThan(answer.now);
  const cards = new Map(answer.cards.map((card) => [card.id, card]));
  for (const id of productIds) keep(id, cards.get(id) ?? null);
}

/** Applies a live event to a card. Fetches the state after an event without an update: events may have been missed. */
function followCard(topic: LiveTopic, data: string | null): void {
  const id = topic.slice(topic.indexOf(":") + 1);
  const update: unknown = data === null ? null : JSON.parse(data);
  if (isCardUpdate(update)) {
    serverClock.notEarlierThan(update.now);
    return keep(id, update.card);
  }
  missed.add(id);
  fetchTimer ??= setTimeout(() => void fetchMissed(), 0);
}

/** Follows these products' cards over the tab's one stream while the component is mounted. */
export function useLiveCards(productIds: readonly string[]): void {
  const key = productIds.slice(0, cardsPerStream).join();
  useEffect(() => {
    const stops = key === "" ? [] : key.split(",").map((id) => watch(cardTopic(id), followCard));
    return () => {
      for (const stop of stops) stop();
    };
  }, [key]);
}

type ListedProduct = { id: string; version: number; price: number; bidCount: number; endDate: Date };

/** Returns the state of a product from the list or from the last event, whichever is newer. */
export function useCard(product: ListedProduct) {
  const { data: card } = useQuery(cardQuery(product.id));
  const { price, bidCount } = product;
  const listCard = {
    price,
    bidCount,
    endDate: product.endDate.getTime(),
    leader: null,
    state: "open" as const,
  };
  if (card === null) return { ...listCard, state: "removed" as const };
  // The list doesn't name the leader, so an event of the same version says more.
  return card && card.version >= product.version ? card : listCard;
}
