import { checkOrder } from "./check-order.ts";
import { checkRefusals } from "./check-refusals.ts";
import { checkStored } from "./check-stored.ts";
import { type History, sortedOut } from "./history.ts";
import type { Operation, Violation } from "./operation.ts";
import { checkRemovals } from "./removals.ts";

/**
 * Checks whether the answers to clients and the database keep the promise of docs/auctions.md; returns the violations.
 * With `faults`, something was killed meanwhile, so calls may lack an answer.
 */
export function checkHistory(history: History, { faults = false } = {}): Violation[] {
  const lots = sortedOut(history);
  const unanswered = faults ? [] : history.operations.filter(({ answer }) => answer.kind === "unknown");
  return [
    ...checkStored(history),
    ...checkRemovals(history),
    ...lots.flatMap(checkOrder),
    ...lots.flatMap(checkRefusals),
    ...unanswered.map(failed),
  ];
}

const failed = ({ key, answer }: Operation): Violation => ({
  rule: "every call is answered",
  detail: `${key}: ${answer.kind === "unknown" ? answer.why : answer.kind}`,
});
