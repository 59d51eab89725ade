import { type DocumentKind, documentLabel } from "#domain/document.ts";
import { profileLabel } from "#domain/profile.ts";
import { countsAsUploaded } from "#domain/progress.ts";
import type { Desk } from "./use-desk.ts";

/** What a button of the dashboard opens. */
export type Opens = "profile" | "documents" | "applications";
export type NextStep = { title: string; text: string; action: { label: string; opens: Opens } | null };

const inWords = (names: readonly string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
const labels = (kinds: readonly DocumentKind[]) => inWords(kinds.map((kind) => documentLabel[kind]));

type Asking = NonNullable<Desk["asks"]>;

const askedFor: Record<Asking["state"], (program: string) => NextStep> = {
  informationRequired: (program) => ({
    title: "Answer a question",
    text: `Your application for ${program} goes on as soon as you have answered.`,
    action: { label: "Answer now", opens: "applications" },
  }),
  unconditionalOffer: (program) => ({
    title: "You have an offer",
    text: `It is unconditional, for ${program}. Your place is yours when you accept it.`,
    action: { label: "See the offer", opens: "applications" },
  }),
};

/** The one thing that a student should do next: first what others wait for, then what holds everything else up. */
export function nextStep(viewer: { email: string; emailVerified: boolean }, desk: Desk): NextStep {
  if (desk.asks) return askedFor[desk.asks.state](desk.asks.program);
  const rejected = desk.documents.find(({ state }) => state === "rejected");
  if (rejected)
    return {
      title: `Replace your ${asInSentence(rejected.kind)}`,
      text: `It was rejected: ${rejected.reason}`,
      action: { label: "Replace document", opens: "documents" },
    };
  if (!viewer.emailVerified)
    return {
      title: "Verify your email address",
      text: `Open the link that we sent to ${viewer.email}.`,
      action: null,
    };
  if (desk.missingFields.length > 0)
    return {
      title: "Complete your profile",
      text: `Still missing: ${inWords(desk.missingFields.map((field) => profileLabel[field]))}.`,
      action: { label: "Complete profile", opens: "profile" },
    };
  const missing = desk.documents.filter(({ state }) => !countsAsUploaded(state ?? undefined));
  if (missing.length > 0)
    return {
      title: "Upload your documents",
      text: `Still missing: ${labels(missing.map(({ kind }) => kind))}.`,
      action: { label: "Upload documents", opens: "documents" },
    };
  return applicationStep(desk.applications);
}

const asInSentence = (kind: DocumentKind): string =>
  documentLabel[kind] === documentLabel[kind].toUpperCase()
    ? documentLabel[kind]
    : documentLabel[kind].toLowerCase();

function applicationStep(applications: number): NextStep {
  return applications === 0
    ? {
        title: "Start your first application",
        text: "Your profile and documents are complete. Choose a programme and an intake.",
        action: { label: "Start an application", opens: "applications" },
      }
    : {
        title: "You are all set",
        text: "Your applications are on their way. Follow every step of them here.",
        action: { label: "Follow applications", opens: "applications" },
      };
}
