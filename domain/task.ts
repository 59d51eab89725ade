import type { Problem } from "#domain/error-catalogue.ts";
import { tooLong, wrong } from "#domain/problem.ts";
import { nameProblem } from "#domain/single-line.ts";

/** The roles that can have a task. An admin's task belongs to the admin who created it. */
export const taskOwners = ["student", "agent", "admin"] as const;
export type TaskOwner = (typeof taskOwners)[number];

/** Labels of the states of a task. */
export const taskStateLabels = {
  open: "Open",
  done: "Done",
  checked: "Checked",
  cancelled: "Cancelled",
} as const;
export type TaskState = keyof typeof taskStateLabels;
export const taskStates = ["open", "done", "checked", "cancelled"] as const;

/** Longest texts in characters; tasks of one student; templates in all; most days until a template's tasks are due. */
export const taskLimits = {
  title: 120,
  text: 2000,
  note: 500,
  perStudent: 500,
  templates: 100,
  dueDays: 730,
} as const;

/** Returns the texts of a task or template to store, or their first problem. */
export function checkTask(form: {
  title: string;
  text: string;
}): { title: string; text: string } | Problem<"title" | "text"> {
  const title = form.title.trim();
  const text = form.text.trim();
  if (title === "") return wrong("title", "Please enter a title.");
  // The title appears in the subjects of emails.
  const message = nameProblem(title, "Title");
  const problem =
    tooLong("title", "The title", title, taskLimits.title) ??
    (message === null ? null : wrong("title", message)) ??
    tooLong("text", "The text", text, taskLimits.text);
  return problem ?? { title, text };
}

export type TaskOutcome =
  | { kind: "becomes"; state: TaskState; note: string }
  | { kind: "problem"; problem: Problem<"note"> }
  | { kind: "conflict" };

/**
 * Decides whether a user may change the state of a task. Students finish and reopen their own; the assigned agent and
 * admins finish, check, cancel and reopen all.
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

/** Lists the states that a user may give a task, the most likely first. */
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
