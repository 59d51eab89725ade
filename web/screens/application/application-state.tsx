import { type ApplicationState, stateLabels } from "#domain/application.ts";
import classes from "./application-state.module.css";

/** Going on, good news, something is asked of the student, or at an end. */
type Tone = "going" | "good" | "asks" | "ended";

const tones: Record<ApplicationState, Tone> = {
  submitted: "going",
  inReview: "going",
  informationRequired: "asks",
  sentToUniversity: "going",
  conditionalOffer: "going",
  unconditionalOffer: "asks",
  accepted: "going",
  visa: "going",
  enrolled: "good",
  rejected: "ended",
  withdrawn: "ended",
  deferred: "ended",
};

/** Where an application stands. */
export const StateBadge = ({ state }: { state: ApplicationState }) => (
  <span className={classes.state} data-tone={tones[state]}>
    {stateLabels[state]}
  </span>
);
