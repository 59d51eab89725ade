import { type RefObject, useEffect, useState } from "react";
import { cardsPerStream } from "#protocol/live-topic.ts";

/** Cards that come and go together: a stream begins anew when what it follows changes, so scrolling must do so rarely. */
const blockSize = 20;
const mostBlocks = Math.floor(cardsPerStream / blockSize);

/** Returns the blocks of some cards, by their places in the list, at most as many as one stream can follow. */
const blocksOf = (places: Iterable<number>): number[] =>
  [...new Set([...places].map((place) => Math.floor(place / blockSize)))]
    .toSorted((one, other) => one - other)
    .slice(0, mostBlocks);

/**
 * Returns the ids of the products whose cards are in sight, and of those beside them. `root` holds the cards, each an
 * element with `data-card`, in the order of `ids`.
 */
export function useCardsInSight(root: RefObject<HTMLElement | null>, ids: readonly string[]): string[] {
  const [blocks, setBlocks] = useState<readonly number[]>([]);
  const key = ids.join();
  useEffect(() => {
    const places = new Map(key.split(",").map((id, place) => [id, place]));
    const inSight = new Set<number>();
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const place = places.get(target.getAttribute("data-card") ?? "");
        if (place === undefined) continue;
        if (isIntersecting) inSight.add(place);
        else inSight.delete(place);
      }
      const next = blocksOf(inSight);
      setBlocks((last) => (last.join() === next.join() ? last : next));
    });
    for (const card of root.current?.querySelectorAll("[data-card]") ?? []) observer.observe(card);
    return () => observer.disconnect();
  }, [root, key]);
  return blocks.flatMap((block) => ids.slice(block * blockSize, (block + 1) * blockSize));
}
