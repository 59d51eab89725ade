import { type ApplicationState, stateLabels } from "#domain/application.ts";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";

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
export const ApplicationStateBadge = ({ state }: { state: ApplicationState }) => (
  <StateBadge tone={tones[state]}>{stateLabels[state]}</StateBadge>
);
