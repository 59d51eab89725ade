import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";

/** Milliseconds that a slide stays. */
const stays = 5000;

const reducedMotion = "(prefers-reduced-motion: reduce)";
const asksForReducedMotion = () => matchMedia(reducedMotion).matches;
function onChange(listener: () => void) {
  const query = matchMedia(reducedMotion);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/**
 * Calls `next` again and again while it plays and nobody holds it; `hold` goes to the element that a pointer or the
 * focus holds still. For people who ask for reduced motion it begins paused.
 */
export function useAutoplay(next: () => void) {
  const isStill = useSyncExternalStore(onChange, asksForReducedMotion, () => true);
  const [chosen, setChosen] = useState<"playing" | "paused" | null>(null);
  const [held, setHeld] = useState({ pointer: false, focus: false });
  const onTick = useEffectEvent(next);
  const playing = chosen === null ? !isStill : chosen === "playing";
  const moves = playing && !held.pointer && !held.focus;
  useEffect(() => {
    if (!moves) return;
    const timer = setInterval(() => onTick(), stays);
    return () => clearInterval(timer);
  }, [moves]);

  const holdBy = (what: Partial<typeof held>) => setHeld((last) => ({ ...last, ...what }));
  return {
    playing,
    toggle: () => setChosen(playing ? "paused" : "playing"),
    hold: {
      onPointerEnter: () => holdBy({ pointer: true }),
      onPointerLeave: () => holdBy({ pointer: false }),
      onFocus: () => holdBy({ focus: true }),
      onBlur: () => holdBy({ focus: false }),
    },
  };
}
