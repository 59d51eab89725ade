import { removalReasonProblem } from "#domain/auction-removal.ts";
import { Refusal } from "#server/refusal.ts";

/** Returns a reason as it is stored, or refuses one that is empty or too long. */
export function checkedReason(typedReason: string): string {
  const problem = removalReasonProblem(typedReason);
  if (problem) throw Refusal.of(problem);
  return typedReason.trim();
}
