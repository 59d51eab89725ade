import type { ApplicationState, StudyCountry, StudyLevel } from "#domain/application.ts";
import type { DocumentKind } from "#domain/document.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";

type Reaction<About> = (services: Services, tx: Transaction, about: About) => Promise<void>;

/** A change of the file in one of a student's slots. `reason` is that of a rejection, empty otherwise. */
export type SlotChange = {
  studentId: string;
  kind: DocumentKind;
  document: "uploaded" | "approved" | "rejected" | "gone";
  reason: string;
};

/**
 * Reactions of other features to a student's documents, applications and messages, run in the transaction of the
 * change. `compose.ts` names them: those features depend on documents, applications and conversations, which therefore
 * can't import them.
 */
export type StudyEvents = {
  slotChanged: Reaction<SlotChange>;
  submitted: Reaction<{
    applicationId: string;
    studentId: string;
    highestStudyLevel: StudyLevel;
    countries: readonly StudyCountry[];
  }>;
  /** The student's own deadlines now follow this time zone. */
  zoneChanged: Reaction<{ studentId: string; zone: string }>;
  /** Runs before the step is taken, and may refuse it. */
  moving: Reaction<{ applicationId: string; from: ApplicationState; to: ApplicationState }>;
  messageRedacted: Reaction<{ authorId: string; text: string }>;
};
