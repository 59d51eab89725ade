import type { DueThing } from "#contract/planned-work.ts";
import { applicationName } from "#domain/application-notification.ts";
import { daysUntil, deadlineText, dueWords } from "#domain/deadline.ts";
import { type DocumentKind, documentLabel } from "#domain/document.ts";
import { profileLabel } from "#domain/profile.ts";
import { countsAsUploaded } from "#domain/progress.ts";
import type { rpc } from "../../lib/rpc.ts";
import type { ApplicationsAt } from "../application/applications.tsx";

/** The server's answer for a student's dashboard. */
export type Dashboard = Awaited<ReturnType<typeof rpc.students.dashboard>>;

/**
 * The target of a dashboard button; `due`: the list on the dashboard itself; for applications it is the list, the form
 * for a new one, or one of them.
 */
export type DialogTarget =
  | { what: "profile" | "documents" | "due" }
  | { what: "message"; threadId: string }
  | { what: "applications"; at: ApplicationsAt };
/** `isDone`: nothing is left to do. */
export type NextStep = {
  title: string;
  text: string;
  isDone?: true;
  action: { label: string; opens: DialogTarget };
};

const inWords = (names: readonly string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
const labels = (kinds: readonly DocumentKind[]) => inWords(kinds.map((kind) => documentLabel[kind]));

type WaitingApplication = NonNullable<Dashboard["asks"]>;

const waitingTexts: Record<
  WaitingApplication["state"],
  { title: string; text: (application: string) => string; label: string }
> = {
  informationRequired: {
    title: "Answer a question",
    text: (application) => `Your application for ${application} will continue once you've replied.`,
    label: "Answer now",
  },
  unconditionalOffer: {
    title: "You have an offer",
    text: (application) => `It's an unconditional offer for ${application}. Accept it to secure your place.`,
    label: "See the offer",
  },
};

const opens = (applicationId: string): DialogTarget => ({ what: "applications", at: { applicationId } });

function answer({ id, intake, state, ...rest }: WaitingApplication): NextStep {
  const { title, text, label } = waitingTexts[state];
  return {
    title,
    text: text(applicationName({ ...rest, startDate: intake })),
    action: { label, opens: opens(id) },
  };
}

/** Returns the step for an open offer: its answer, or its next condition. `now` and the zone determine the wording. */
function replyTo(offer: NonNullable<Dashboard["offer"]>, zone: string, now: Date): NextStep {
  const { id, state, replyBy, openConditions, nextCondition } = offer;
  const name = applicationName({ ...offer, startDate: offer.intake });
  const action = { label: "See the offer", opens: opens(id) };
  if (state === "unconditionalOffer") {
    const { title, text } = waitingTexts.unconditionalOffer;
    const by = replyBy && ` Reply by ${deadlineText(replyBy, zone, now)}.`;
    return { title, text: `${text(name)}${by ?? ""}`, action };
  }
  const due = nextCondition?.due;
  const next = nextCondition?.text ?? "";
  return {
    title: "Meet the conditions of your offer",
    text: `${openConditions === 1 ? "1 condition is" : `${openConditions} conditions are`} open for ${name}. Next: ${next}${due ? `, due ${deadlineText(due, zone, now)}` : ""}.`,
    action,
  };
}

const confirmation = (application: NonNullable<Dashboard["confirms"]>): NextStep => ({
  title: "Confirm what we'll send",
  text: `Your application for ${applicationName(application)} is ready. Nothing is sent until you've confirmed the list.`,
  action: { label: "See the list", opens: { what: "applications", at: { applicationId: application.id } } },
});

const reply = ({ threadId, application }: NonNullable<Dashboard["reply"]>): NextStep => ({
  title: "Answer a message",
  text: application
    ? `The conversation about ${applicationName(application)} waits for you.`
    : "Your conversation about general questions waits for you.",
  action: { label: "Open conversation", opens: { what: "message", threadId } },
});

/**
 * Returns the one thing that a student should do next: first matters that others wait for, then those that block
 * everything else. The address's verification is left out, because every screen already has a reminder of it.
 */
export function nextStep(
  dashboard: Dashboard,
  things: readonly DueThing[],
  now: Date,
  zone: string,
): NextStep {
  const [thing] = things;
  if (thing?.due && daysUntil(thing.due, now) <= pressingDays) return dueStep(thing, now);
  if (dashboard.asks?.state === "informationRequired") return answer(dashboard.asks);
  if (dashboard.offer) return replyTo(dashboard.offer, zone, now);
  if (dashboard.asks) return answer(dashboard.asks);
  if (dashboard.confirms) return confirmation(dashboard.confirms);
  if (dashboard.reply) return reply(dashboard.reply);
  if (thing) return dueStep(thing, now);
  const rejected = dashboard.documents.find(({ state }) => state === "rejected");
  if (rejected)
    return {
      title: `Replace your ${asInSentence(rejected.kind)}`,
      text: `It was rejected: ${rejected.reason}`,
      action: { label: "Replace document", opens: { what: "documents" } },
    };
  if (dashboard.missingFields.length > 0)
    return {
      title: "Complete your profile",
      text: `Still missing: ${inWords(dashboard.missingFields.map((field) => profileLabel[field]))}.`,
      action: { label: "Complete profile", opens: { what: "profile" } },
    };
  const missing = dashboard.documents.filter(({ state }) => !countsAsUploaded(state));
  if (missing.length > 0)
    return {
      title: "Upload your documents",
      text: `Still missing: ${labels(missing.map(({ kind }) => kind))}.`,
      action: { label: "Upload documents", opens: { what: "documents" } },
    };
  return applicationStep(dashboard.applications);
}

/** Days before its deadline from which a thing comes before everything else. */
const pressingDays = 7;

const dueStep = ({ title, document, due }: DueThing, now: Date): NextStep => ({
  title: document === null ? title : `Send: ${title}`,
  text: due
    ? `Due ${dueWords(due, now)}.`.replace("Due overdue", "Overdue")
    : "Your agent has asked you for this.",
  action: { label: "See what to do", opens: { what: "due" } },
});

const asInSentence = (kind: DocumentKind): string =>
  documentLabel[kind] === documentLabel[kind].toUpperCase()
    ? documentLabel[kind]
    : documentLabel[kind].toLowerCase();

function applicationStep(applications: number): NextStep {
  return applications === 0
    ? {
        title: "Start your first application",
        text: "Your profile and documents are complete. Choose a programme and a start date.",
        action: { label: "Start an application", opens: { what: "applications", at: "form" } },
      }
    : {
        title: "You're all set",
        isDone: true,
        text: "Your applications are under way. Track their progress here.",
        action: { label: "Track applications", opens: { what: "applications", at: "list" } },
      };
}
