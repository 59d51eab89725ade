import { type ApplicationState, stateLabels } from "#domain/application.ts";
import { isHalted } from "#domain/application-step.ts";

/** The stages of the pipeline in their order, each with the states that belong to it. */
const stages = [
  { label: "Submitted", states: ["submitted"] },
  { label: "In review", states: ["inReview", "informationRequired"] },
  { label: "Sent to university", states: ["sentToUniversity"] },
  { label: "Offer", states: ["conditionalOffer", "unconditionalOffer"] },
  { label: "Accepted", states: ["accepted"] },
  { label: "Visa", states: ["visa"] },
  { label: "Enrolled", states: ["enrolled"] },
] as const satisfies readonly { label: string; states: readonly ApplicationState[] }[];

const stageOf = (state: ApplicationState): number =>
  stages.findIndex(({ states }) => states.some((each) => each === state));

/** A stage to show. `halted`: the application was rejected, withdrawn or deferred here. */
export type Stage = { label: string; status: "done" | "current" | "halted" | "ahead" };

/**
 * Returns the stages of an application's pipeline. `endedFrom` is the state from which it was rejected, withdrawn or
 * deferred; it is used only then, and null means the first state. The current stage has the label of the state itself.
 */
export function pipelineOf(state: ApplicationState, endedFrom: ApplicationState | null): Stage[] {
  const halted = isHalted(state);
  const currentIndex = Math.max(0, stageOf(halted ? (endedFrom ?? "submitted") : state));
  return stages.map(({ label }, index) => {
    if (index === currentIndex) return { label: stateLabels[state], status: halted ? "halted" : "current" };
    return { label, status: index < currentIndex ? "done" : "ahead" };
  });
}
