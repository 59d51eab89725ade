import { queryOptions } from "@tanstack/react-query";
import type { ProductNews, ProductState } from "#contract/auctions.ts";
import { CataloguedError } from "./catalogued-error.ts";
import { queryClient } from "./query-client.ts";
import { serverClock } from "./server-clock.ts";
import { unanswered } from "./unanswered.ts";

/** Under its lower-case id, as live events name a product. Null: it was taken off sale while this tab watched. */
const keyOf = (productId: string) => ["product", productId.toLowerCase()] as const;

async function ask(productId: string, signal: AbortSignal) {
  const asked = performance.now();
  try {
    const response = await fetch(`/auctions/products/${encodeURIComponent(productId)}`, { signal });
    const at = Number(response.headers.get("x-server-time"));
    if (at > 0) serverClock.answered(at, asked, performance.now());
    return { status: response.status, text: await response.text() };
  } catch (error) {
    if (signal.aborted) throw error;
    throw unanswered(error);
  }
}

function read(text: string): ProductState {
  try {
    return JSON.parse(text);
  } catch (error) {
    // A proxy's page.
    throw new CataloguedError("unavailable", error);
  }
}

/** Of two states of a product the one that counts: off sale is for good, and versions only grow. */
const newer = (known: ProductState | null | undefined, other: ProductState | null): ProductState | null => {
  if (known === undefined || other === null) return other;
  return known === null || known.version > other.version ? known : other;
};

/**
 * A product as everyone sees it. Fails with `not-found` for what isn't there. An event may
 * overtake the answer: the newer of the two stays.
 */
export const productQuery = (productId: string) =>
  queryOptions({
    queryKey: keyOf(productId),
    queryFn: async ({ signal }): Promise<ProductState | null> => {
      const { status, text } = await ask(productId, signal);
      if (status === 404) throw new CataloguedError("not-found");
      if (status !== 200) throw new CataloguedError("unavailable");
      return newer(queryClient.getQueryData<ProductState | null>(keyOf(productId)), read(text));
    },
  });

/** Takes over what a live event says of a product, and of the time. */
export function takeProductNews(productId: string, data: string): void {
  const { now, product }: ProductNews = JSON.parse(data);
  serverClock.notEarlierThan(now);
  queryClient.setQueryData<ProductState | null>(keyOf(productId), (known) => newer(known, product));
}

/** Asks again for a product whose events may have been missed. */
export const askForProduct = (productId: string) =>
  void queryClient.invalidateQueries({ queryKey: keyOf(productId), exact: true });
