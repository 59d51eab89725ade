import type { Outcome } from "#domain/outcome.ts";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";

/** The outcomes of a comparison with a student's record, as the student reads them. */
export const outcomeLabels: Record<Outcome, string> = {
  mayEnter: "May enter",
  gap: "One gap",
  notKnown: "Not known yet",
  no: "Not with your record",
};

const tones: Record<Outcome, Tone> = { mayEnter: "good", gap: "asks", notKnown: "going", no: "ended" };

export const OutcomeBadge = ({ outcome }: { outcome: Outcome }) => (
  <StateBadge tone={tones[outcome]}>{outcomeLabels[outcome]}</StateBadge>
);
