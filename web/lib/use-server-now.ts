import { useEffect, useState } from "react";
import { serverNow, watchTime } from "./server-clock.ts";

/**
 * The server's time in milliseconds since 1970, told anew every `everyMs` while the component is mounted and the page
 * visible, up to `end` and no longer.
 */
export function useServerNow(everyMs: number, end: number): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => watchTime(everyMs, end, setNow), [everyMs, end]);
  return now;
}
