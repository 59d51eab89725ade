import { nameOf } from "../application-notification.ts";
import { dayWords } from "../deadline.ts";
import { because, kind } from "./kind.ts";

type About = {
  readonly program?: string;
  readonly university?: string;
  readonly intake?: string;
  readonly year?: string;
};
const applicationIn = ({ program = "your application", ...rest }: About): string =>
  nameOf({ program, ...rest });

/** Ends a text with a full stop. */
const ended = (text: string): string => text.replace(/(?<=[^.!?…])$/, ".");

const marks: Readonly<Record<string, string>> = {
  met: "is met",
  waived: "is waived",
  open: "was sent back to you",
};

/** Notifications about offers and their conditions. */
export const offers = {
  offerMade: kind({
    label: "You have an offer",
    roles: ["student"],
    about: {
      program: "always",
      intake: "always",
      university: "sometimes",
      year: "sometimes",
      state: "always",
      summary: "always",
    },
    ids: { studentId: "always", applicationId: "always" },
    event: "offer.made",
    followed: { while: "assigned", label: "A student has an offer" },
    mail: "applications",
    reachesLeaving: false,
    title: ({ state, ...about }) =>
      `You have ${state === "unconditionalOffer" ? "an unconditional" : "a conditional"} offer for ${applicationIn(about)}`,
    details: ({ summary = "" }) => summary,
    button: "See the offer",
  }),
  offerChanged: kind({
    label: "An offer was changed",
    roles: ["student"],
    about: {
      program: "always",
      intake: "always",
      university: "sometimes",
      year: "sometimes",
      changes: "always",
    },
    ids: { studentId: "always", applicationId: "always" },
    event: "offer.changed",
    followed: { while: "assigned" },
    mail: "applications",
    reachesLeaving: false,
    title: (about) => `Your offer for ${applicationIn(about)} has changed`,
    details: ({ changes = "" }) => changes && `Changed: ${changes}.`,
    button: "See the offer",
  }),
  conditionMarked: kind({
    label: "A condition was met, waived or sent back",
    roles: ["student"],
    about: {
      program: "always",
      intake: "always",
      university: "sometimes",
      year: "sometimes",
      condition: "always",
      state: "always",
      reason: "sometimes",
    },
    ids: { studentId: "always", applicationId: "always", conditionId: "always" },
    event: "offer.condition-marked",
    followed: { while: "assigned" },
    mail: "applications",
    reachesLeaving: false,
    title: ({ state = "", ...about }) =>
      `A condition of your offer for ${applicationIn(about)} ${marks[state] ?? "has changed"}`,
    details: ({ condition = "", reason = "" }) => `${ended(condition)}${because({ reason })}`,
    button: "See the offer",
  }),
  depositMarked: kind({
    label: "A deposit was marked as paid, or as not paid",
    roles: ["student"],
    about: {
      program: "always",
      intake: "always",
      university: "sometimes",
      year: "sometimes",
      paidOn: "sometimes",
    },
    ids: { studentId: "always", applicationId: "always" },
    event: "offer.deposit-marked",
    followed: { while: "assigned" },
    mail: "applications",
    reachesLeaving: false,
    title: ({ paidOn, ...about }) =>
      paidOn === undefined
        ? `The deposit for ${applicationIn(about)} is marked as not paid`
        : `The deposit for ${applicationIn(about)} is marked as paid`,
    details: ({ paidOn }) =>
      paidOn === undefined
        ? "An earlier mark was taken back. Please ask your agent if you have paid."
        : `Paid on ${dayWords(paidOn)}.`,
    button: "See the offer",
  }),
  conditionClaimed: kind({
    label: "A student says that a condition is met",
    roles: ["agent", "admin"],
    about: {
      student: "always",
      program: "always",
      intake: "always",
      university: "sometimes",
      year: "sometimes",
      condition: "always",
      claim: "sometimes",
    },
    ids: { studentId: "always", applicationId: "always", conditionId: "always" },
    event: "offer.condition-claimed",
    mail: "applications",
    reachesLeaving: false,
    title: ({ student = "A student", ...about }) =>
      `${student} says a condition of the offer for ${applicationIn(about)} is met`,
    details: ({ condition = "", claim }) => `${ended(condition)}${claim ? ` "${claim}"` : ""}`,
    button: "Check the condition",
  }),
  offerReady: kind({
    label: "All conditions of an offer are met",
    roles: ["agent"],
    about: {
      student: "always",
      program: "always",
      intake: "always",
      university: "sometimes",
      year: "sometimes",
    },
    ids: { studentId: "always", applicationId: "always" },
    event: "offer.ready",
    mail: "applications",
    reachesLeaving: false,
    title: ({ student = "A student", ...about }) =>
      `${student}, ${applicationIn(about)}: all conditions are met`,
    details: () => "The next step is possible: Unconditional offer.",
    button: "Open application",
  }),
  offerOverdue: kind({
    label: "The time to reply to an offer has passed",
    roles: ["student", "agent", "admin"],
    about: {
      program: "always",
      intake: "always",
      university: "sometimes",
      year: "sometimes",
      replyBy: "always",
      strictness: "sometimes",
      student: "sometimes",
    },
    ids: { studentId: "always", applicationId: "always" },
    event: "offer.overdue",
    mail: "applications",
    reachesLeaving: false,
    title: ({ student, ...about }) =>
      student === undefined
        ? `Your reply to the offer for ${applicationIn(about)} is overdue`
        : `${student} has not replied to the offer for ${applicationIn(about)}`,
    details: ({ replyBy, strictness, student }) =>
      `${replyBy ? `It was due by ${replyBy}. ` : ""}${strictness ? `${strictness} ` : ""}${
        student === undefined
          ? "Nothing has been decided for you: ask your agent whether the offer still stands."
          : "Nothing has been accepted or declined."
      }`,
    button: "See the offer",
  }),
};
