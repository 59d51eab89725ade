import type { Problem } from "#domain/error-catalogue.ts";
import { tooLong, wrong } from "#domain/problem.ts";
import { nameProblem } from "#domain/single-line.ts";

/** The people who can have a task. An admin's task is that of the admin who made it. */
export const taskOwners = ["student", "agent", "admin"] as const;
export type TaskOwner = (typeof taskOwners)[number];

/** States of a task, as people read them. */
export const taskStateLabels = {
  open: "Open",
  done: "Done",
  checked: "Checked",
  cancelled: "Cancelled",
} as const;
export type TaskState = keyof typeof taskStateLabels;
export const taskStates = ["open", "done", "checked", "cancelled"] as const;

/** Longest texts in characters; tasks of one student; templates in all; the latest day on which a template's are due. */
export const taskLimits = {
  title: 120,
  text: 2000,
  note: 500,
  perStudent: 500,
  templates: 100,
  dueDays: 730,
} as const;

/** The texts of a task or template as they are stored, or the first thing wrong with them. */
export function checkTask(form: {
  title: string;
  text: string;
}): { title: string; text: string } | Problem<"title" | "text"> {
  const title = form.title.trim();
  const text = form.text.trim();
  if (title === "") return wrong("title", "Please enter a title.");
  // The title stands in the subjects of emails.
  const unfit = nameProblem(title, "Title");
  const problem =
    tooLong("title", "The title", title, taskLimits.title) ??
    (unfit === null ? null : wrong("title", unfit)) ??
    tooLong("text", "The text", text, taskLimits.text);
  return problem ?? { title, text };
}

export type TaskOutcome =
  | { kind: "becomes"; state: TaskState; note: string }
  | { kind: "problem"; problem: Problem<"note"> }
  | { kind: "conflict" };

/**
 * Decides whether somebody may bring a task into another state. Students do and reopen their own; the assigned agent and
 * admins do, check, cancel and reopen all.
 */
export function decideTask(
  who: "student" | "staff",
  { owner, state }: { owner: TaskOwner; state: TaskState },
  to: TaskState,
  note: string,
): TaskOutcome {
  if (!nextTaskStates(who, { owner, state }).includes(to)) return { kind: "conflict" };
  if (to !== "open") return { kind: "becomes", state: to, note: "" };
  const text = note.trim();
  const problem =
    text === "" ? wrong("note", "Please enter a note.") : tooLong("note", "The note", text, taskLimits.note);
  return problem ? { kind: "problem", problem } : { kind: "becomes", state: to, note: text };
}

/** Lists the states that somebody may bring a task into, the most likely first. */
export function nextTaskStates(
  who: "student" | "staff",
  { owner, state }: { owner: TaskOwner; state: TaskState },
): readonly TaskState[] {
  if (who === "student") {
    if (owner !== "student") return [];
    return state === "open" ? ["done"] : state === "done" ? ["open"] : [];
  }
  const next = {
    open: ["done", "cancelled"],
    done: ["checked", "open"],
    checked: ["open"],
    cancelled: ["open"],
  } as const;
  return next[state];
}
