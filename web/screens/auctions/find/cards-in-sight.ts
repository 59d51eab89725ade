import { type RefObject, useEffect, useState } from "react";
import { cardsPerStream } from "#protocol/live-topic.ts";

/** Number of cards followed together: the stream is reopened when its topics change, which scrolling must do rarely. */
const blockSize = 20;
const mostBlocks = Math.floor(cardsPerStream / blockSize);

/** Returns the blocks of the cards at these positions in the list, at most as many as one stream can follow. */
const blocksOf = (positions: Iterable<number>): number[] =>
  [...new Set([...positions].map((position) => Math.floor(position / blockSize)))]
    .toSorted((one, other) => one - other)
    .slice(0, mostBlocks);

/**
 * Returns the ids of the products whose cards are visible, and those beside them. `root` holds the cards, each an
 * element with `data-card`, in the order of `ids`.
 */
export function useCardsInSight(root: RefObject<HTMLElement | null>, ids: readonly string[]): string[] {
  const [blocks, setBlocks] = useState<readonly number[]>([]);
  const key = ids.join();
  useEffect(() => {
    const positions = new Map(key.split(",").map((id, position) => [id, position]));
    const inSight = new Set<number>();
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const position = positions.get(target.getAttribute("data-card") ?? "");
        if (position === undefined) continue;
        if (isIntersecting) inSight.add(position);
        else inSight.delete(position);
      }
      const next = blocksOf(inSight);
      setBlocks((last) => (last.join() === next.join() ? last : next));
    });
    for (const card of root.current?.querySelectorAll("[data-card]") ?? []) observer.observe(card);
    return () => observer.disconnect();
  }, [root, key]);
  return blocks.flatMap((block) => ids.slice(block * blockSize, (block + 1) * blockSize));
}
