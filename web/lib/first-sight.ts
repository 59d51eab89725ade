import { firstSightMark } from "#domain/first-sight.ts";
import { loadedCode } from "./react-router-window.ts";

/**
 * A call's answer, in JSON, that came with the page. `at`: the server's clock when it was made, in milliseconds since 1970, which
 * was after `asked` and before `heard` by the page's own; `updatedAt`: when it was made, by the device's date.
 */
export type ToldAnswer = { answer: string; at: number; asked: number; heard: number; updatedAt: number };

/** Whether the page came from the browser's history or its cache: nobody knows how old it is. */
const isKept = ({ type, transferSize }: PerformanceNavigationTiming) =>
  type === "back_forward" || transferSize === 0;

/** Gives the page's own screen what the server told with it, before React begins: its call is answered by that. */
export function takeFirstSight(): void {
  const told = document.querySelector<HTMLElement>(`[${firstSightMark}] > script`);
  const [navigation] = performance.getEntriesByType("navigation");
  if (!told || !(navigation instanceof PerformanceNavigationTiming) || isKept(navigation)) return;
  const { textContent: answer, dataset } = told;
  const at = Number(dataset["at"]);
  const asked = navigation.requestStart - Number(dataset["heldFor"]);
  const heard = navigation.responseEnd || performance.now();
  const updatedAt = Date.now() - (performance.now() - asked);
  for (const { handle } of Object.values(loadedCode()))
    handle?.take?.({ answer, at, asked, heard, updatedAt });
}
