import { kind } from "./kind.ts";

/** One of these identifies what a reminder is about. */
const dueIds = {
  studentId: "always",
  requestId: "sometimes",
  taskId: "sometimes",
  offerId: "sometimes",
  depositId: "sometimes",
  conditionId: "sometimes",
} as const;

/** `strictness` says what happens after the deadline. Reminders that were queued earlier lack it. */
const dueAbout = {
  thing: "always",
  when: "always",
  due: "always",
  strictness: "sometimes",
  student: "sometimes",
} as const;

/** Notifications about requests and tasks, and reminders of deadlines. */
export const planner = {
  requestMade: kind({
    label: "You are asked for a document",
    roles: ["student"],
    about: { request: "always", reason: "sometimes", due: "sometimes", strictness: "sometimes" },
    ids: { studentId: "always", requestId: "always" },
    event: "request.made",
    followed: { while: "assigned", label: "A student is asked for a document" },
    mail: "requests",
    // The agent words the request, so it may contain anything.
    push: { names: [], hours: 72, urgency: "normal" },
    reachesLeaving: false,
    title: ({ request = "a document" }) => `Please send: ${request}`,
    details: ({ reason, due, strictness }) => sentences(reason, due && `Due: ${due}`, strictness),
    button: "See what to do",
  }),
  requestSentBack: kind({
    label: "Something you sent is sent back",
    roles: ["student"],
    about: { request: "always", reason: "always" },
    ids: { studentId: "always", requestId: "always" },
    event: "request.sent-back",
    followed: { while: "sharing", label: "Something a student sent is sent back" },
    mail: "requests",
    reachesLeaving: false,
    title: ({ request = "A document" }) => `${request}: please send it again`,
    details: ({ reason }) => sentences(reason),
    button: "See what to do",
  }),
  requestSupplied: kind({
    label: "A student sent what you asked for",
    roles: ["agent", "admin"],
    about: { student: "always", request: "always" },
    ids: { studentId: "always", requestId: "always" },
    event: "request.supplied",
    mail: "uploads",
    reachesLeaving: false,
    title: ({ student = "A student", request = "a document" }) => `${student} sent: ${request}`,
    button: "Review it",
  }),
  taskGiven: kind({
    label: "You have a new task",
    roles: ["student", "agent"],
    about: {
      task: "always",
      student: "sometimes",
      note: "sometimes",
      due: "sometimes",
      strictness: "sometimes",
    },
    ids: { studentId: "always", taskId: "always" },
    event: "task.given",
    followed: { while: "assigned", label: "You or a student of yours has a new task" },
    mail: "requests",
    reachesLeaving: false,
    title: ({ task = "A task", student }) =>
      `New task: ${task}${student === undefined ? "" : ` (${student})`}`,
    details: ({ note, due, strictness }) => sentences(note, due && `Due: ${due}`, strictness),
    button: "See what to do",
  }),
  taskDone: kind({
    label: "A student finished a task",
    roles: ["agent", "admin"],
    about: { student: "always", task: "always" },
    ids: { studentId: "always", taskId: "always" },
    event: "task.done",
    mail: "uploads",
    reachesLeaving: false,
    title: ({ student = "A student", task = "a task" }) => `${student} finished: ${task}`,
    button: "Open the student",
  }),
  fallsDue: kind({
    label: "Something falls due, or is overdue",
    roles: ["student", "agent", "admin"],
    about: dueAbout,
    ids: dueIds,
    event: "deadline.near",
    mail: "reminders",
    reachesLeaving: false,
    title: (about) => dueTitle(about),
    details: ({ due, strictness }) => sentences(due && `Due: ${due}`, strictness),
    button: "See what is due",
  }),
  fallsDueSoon: kind({
    label: "Something falls due within a day",
    roles: ["student", "agent", "admin"],
    about: dueAbout,
    ids: dueIds,
    event: "deadline.today",
    mail: "lastReminders",
    reachesLeaving: false,
    title: (about) => dueTitle(about),
    details: ({ due, strictness }) => sentences(due && `Due: ${due}`, strictness),
    button: "See what is due",
  }),
};

/** Joins the texts that aren't empty, each ended with a full stop. */
function sentences(...texts: (string | undefined)[]): string {
  return texts
    .flatMap((text) => (text === undefined || text === "" ? [] : [text.replace(/(?<![.!?…])$/, ".")]))
    .join(" ");
}

function dueTitle({
  thing = "Something",
  when = "soon",
  student,
}: {
  thing?: string;
  when?: string;
  student?: string;
}) {
  const about = student === undefined ? "" : ` (${student})`;
  return when.startsWith("overdue") ? `${capital(when)}: ${thing}${about}` : `Due ${when}: ${thing}${about}`;
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
