import { useEffect, useState } from "react";
import { useHydrated, useRenderedAt } from "./hydration.ts";
import { serverNow, watchTime } from "./server-clock.ts";

/**
 * The server's time in milliseconds since 1970, updated every `everyMs` while the component is mounted and the page
 * visible, up to `end` and no longer.
 */
export function useServerNow(everyMs: number, end: number): number {
  const renderedAt = useRenderedAt();
  const hydrated = useHydrated();
  const [now, setNow] = useState(() => (hydrated ? serverNow() : renderedAt));
  useEffect(() => watchTime(everyMs, end, setNow), [everyMs, end]);
  return now;
}
