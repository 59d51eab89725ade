import { type PointerEvent, useRef } from "react";

/** Pixels that a finger moves before it is a swipe and no tap. */
const least = 40;

/** Handlers that report in which direction an element was swiped. */
export function useSwipe(does: { left: () => void; right: () => void }) {
  const from = useRef<number | null>(null);
  return {
    onPointerDown: ({ clientX }: PointerEvent) => {
      from.current = clientX;
    },
    onPointerCancel: () => {
      from.current = null;
    },
    onPointerUp: ({ clientX }: PointerEvent) => {
      const moved = from.current === null ? 0 : clientX - from.current;
      from.current = null;
      if (moved <= -least) does.left();
      if (moved >= least) does.right();
    },
  };
}
