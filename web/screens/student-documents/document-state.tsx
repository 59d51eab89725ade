import type { DocumentState } from "#domain/document.ts";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";

const looks: Record<DocumentState, { words: string; tone: Tone }> = {
  uploaded: { words: "Waiting for review", tone: "going" },
  approved: { words: "Approved", tone: "good" },
  rejected: { words: "Rejected", tone: "asks" },
};
const empty = { words: "Not uploaded", tone: "ended" } as const;

/** Where a document stands; null for a slot that is empty. */
export function DocumentStateBadge({ state }: { state: DocumentState | null }) {
  const { words, tone } = state === null ? empty : looks[state];
  return <StateBadge tone={tone}>{words}</StateBadge>;
}
