import type { AccountStatus } from "#domain/account.ts";
import {
  type ApplicationState,
  applicationLimits,
  applicationStates,
  stateLabels,
  statesForStudent,
} from "#domain/application.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { type AssignedStudent, isAdmin, isResponsibleFor, isStudent } from "#domain/permission.ts";
import { tooLong, wrong } from "#domain/problem.ts";

/** Roles in which users move an application: as its student, as the student's agent, or as an admin. */
export type Mover = "student" | "agent" | "admin";

/** Returns the role in which a user may move a student's applications, or null if they may not. */
export function moverOf(who: AccountStatus & { id: string }, student: AssignedStudent): Mover | null {
  if (isAdmin(who)) return "admin";
  if (isStudent(who)) return who.id === student.id ? "student" : null;
  return isResponsibleFor(who, student) ? "agent" : null;
}

type StepKind = "forward" | "back" | "reject" | "defer" | "reopen" | "answer" | "accept" | "withdraw";
/** A step that may be taken from an application's state. */
export type Step = { to: ApplicationState; kind: StepKind; needsNote: boolean };

/** Steps forward. An Unconditional offer may come without a Conditional one. */
const forward: Record<ApplicationState, readonly ApplicationState[]> = {
  submitted: ["inReview"],
  inReview: ["sentToUniversity", "informationRequired"],
  informationRequired: ["sentToUniversity"],
  sentToUniversity: ["conditionalOffer", "unconditionalOffer"],
  conditionalOffer: ["unconditionalOffer"],
  unconditionalOffer: ["accepted"],
  accepted: ["visa"],
  visa: ["enrolled"],
  enrolled: [],
  rejected: [],
  withdrawn: [],
  deferred: [],
};

/**
 * Whether an application has not ended yet; a deferred one hasn't. A student has only one open application for the same
 * programme and intake.
 */
export const isOpen = (state: ApplicationState): boolean =>
  state !== "enrolled" && state !== "rejected" && state !== "withdrawn";

/** Whether a state is outside the pipeline: the application was ended early or deferred. */
export const isHalted = (state: ApplicationState): boolean =>
  state === "rejected" || state === "withdrawn" || state === "deferred";

const step = (kind: StepKind, to: ApplicationState): Step => ({ to, kind, needsNote: needsNote(kind, to) });

const needsNote = (kind: StepKind, to: ApplicationState): boolean =>
  kind === "back" ||
  kind === "reject" ||
  kind === "reopen" ||
  kind === "answer" ||
  to === "informationRequired";

function studentSteps(from: ApplicationState): Step[] {
  return [
    ...(from === "informationRequired" ? [step("answer", "inReview")] : []),
    ...(from === "unconditionalOffer" ? [step("accept", "accepted")] : []),
    ...(isOpen(from) ? [step("withdraw", "withdrawn")] : []),
  ];
}

/** Returns the steps back: each is the reverse of a step forward. */
const backFrom = (from: ApplicationState): Step[] =>
  applicationStates.filter((to) => forward[to].includes(from)).map((to) => step("back", to));

function staffSteps(from: ApplicationState): Step[] {
  if (!isOpen(from)) return [];
  return [
    ...forward[from].map((to) => step("forward", to)),
    ...backFrom(from),
    step("reject", "rejected"),
    ...(from === "deferred" ? [] : [step("defer", "deferred")]),
  ];
}

const reopenings: Partial<Record<ApplicationState, Step[]>> = {
  rejected: [step("reopen", "inReview")],
  withdrawn: [step("reopen", "inReview")],
  deferred: [step("reopen", "inReview")],
  enrolled: backFrom("enrolled"),
};

const stepsOf: Record<Mover, (from: ApplicationState) => Step[]> = {
  student: studentSteps,
  agent: staffSteps,
  admin: (from) => [...(reopenings[from] ?? []), ...staffSteps(from)],
};

/** Lists the steps that a user may take next, the most likely first. */
export const nextSteps = (who: Mover, from: ApplicationState): Step[] => stepsOf[who](from);

/** Whether a step sends an application to the university, which requires the student's confirmation. */
export const sendsApplication = ({ kind, to }: Pick<Step, "kind" | "to">): boolean =>
  kind === "forward" && to === "sentToUniversity";

/** Whether a user's step from one state to another sends an application. */
export const sends = (who: Mover, from: ApplicationState, to: ApplicationState): boolean =>
  nextSteps(who, from).some((each) => each.to === to && sendsApplication(each));

/**
 * `moves` carries the trimmed note to store. `conflict`: the user has no such step from here. `unconfirmed`: the
 * student has not confirmed what is sent.
 */
export type StepOutcome =
  | { kind: "moves"; note: string }
  | { kind: "problem"; problem: Problem<"note"> }
  | { kind: "unconfirmed" }
  | { kind: "conflict" };

/**
 * Decides whether a user may move an application with this note (at most `applicationLimits.note` characters).
 * `isConfirmed`: the student has confirmed what is sent. An admin may proceed without, but must say why in the note.
 */
export function decideStep(
  who: Mover,
  from: ApplicationState,
  to: ApplicationState,
  note: string,
  isConfirmed: boolean,
): StepOutcome {
  const step = nextSteps(who, from).find((each) => each.to === to);
  if (!step) return { kind: "conflict" };
  const text = note.trim();
  if (sendsApplication(step) && !isConfirmed) {
    if (who !== "admin") return { kind: "unconfirmed" };
    const why = "Please say why it is sent without the student's confirmation.";
    if (text === "") return { kind: "problem", problem: wrong("note", why) };
  }
  const missing = step.kind === "answer" ? "Please enter your answer." : "Please enter a note.";
  const problem =
    step.needsNote && text === ""
      ? wrong("note", missing)
      : tooLong("note", "This", text, applicationLimits.note);
  return problem ? { kind: "problem", problem } : { kind: "moves", note: text };
}

/** Whether a step leads towards enrolment. Asking for information doesn't. */
export const isProgress = (from: ApplicationState, to: ApplicationState): boolean =>
  to !== "informationRequired" && forward[from].includes(to);

/** Returns the label under which a step is offered. */
export const stepLabel = ({ kind, to }: Step): string => stepLabels[kind](stateLabels[to]);

const stepLabels: Record<StepKind, (to: string) => string> = {
  forward: (to) => to,
  back: (to) => `Back to ${to}`,
  reject: (to) => to,
  defer: (to) => to,
  reopen: () => "Reopen (In review)",
  answer: () => "Send answer",
  accept: () => "Accept offer",
  withdraw: () => "Withdraw",
};

type ListedApplication = { state: ApplicationState; updatedAt: Date };

function rank(state: ApplicationState): number {
  if (statesForStudent.some((each) => each === state)) return 0;
  return isOpen(state) ? 1 : 2;
}

/** Orders a student's applications: those that wait for the student, other open ones, ended ones; each newest first. */
export const byUrgency = (one: ListedApplication, other: ListedApplication): number =>
  rank(one.state) - rank(other.state) || other.updatedAt.getTime() - one.updatedAt.getTime();
