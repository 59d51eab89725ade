import { type ApplicationState, statesForStudent } from "#domain/application.ts";
import { isOpen } from "#domain/application-step.ts";

type Ordered = { state: ApplicationState; updatedAt: Date };

function rank(state: ApplicationState): number {
  if (statesForStudent.some((each) => each === state)) return 0;
  return isOpen(state) ? 1 : 2;
}

/** Compares for a student's list: what waits for them first, then what is open, then what has ended; newest first. */
export const byUrgency = (one: Ordered, other: Ordered): number =>
  rank(one.state) - rank(other.state) || other.updatedAt.getTime() - one.updatedAt.getTime();
