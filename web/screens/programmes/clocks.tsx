import { type Deadline, deadlineThere } from "#domain/deadline.ts";
import { useHydrated, useRenderedAt } from "../../lib/hydration.ts";
import { ClockWords } from "../plan/due-text.tsx";

/** A deadline on the institution's clock, and on the viewer's once it is known in the browser. */
export function Clocks({ due }: { due: Deadline }) {
  const renderedAt = useRenderedAt();
  return useHydrated() ? <ClockWords due={due} /> : deadlineThere(due, new Date(renderedAt));
}
