import type { Role } from "../account.ts";
import type { Digest } from "../digest.ts";

/** Ids by which a notification can name its subject. */
export const subjectIds = [
  "agentId",
  "applicationId",
  "conditionId",
  "depositId",
  "documentId",
  "invitationId",
  "offerId",
  "productId",
  "questionId",
  "reportId",
  "requestId",
  "searchId",
  "studentId",
  "taskId",
  "threadId",
  "webhookId",
] as const;
export type SubjectId = (typeof subjectIds)[number];
export type SubjectIds = Readonly<Partial<Record<SubjectId, string>>>;

/** Values of a notification by name, and whether every new one has them. */
type Shape = Readonly<Record<string, "always" | "sometimes">>;
type IdShape = Readonly<Partial<Record<SubjectId, "always" | "sometimes">>>;

type NamesWith<Of, Presence> = {
  [Name in keyof Of]: Of[Name] extends Presence ? Name : never;
}[keyof Of];
/** The values that a new notification brings. */
export type NewValues<Of> = { readonly [Name in NamesWith<Of, "always">]: string } & {
  readonly [Name in NamesWith<Of, "sometimes">]?: string;
};
/** The values of a stored notification. An earlier version may have left any of them out. */
export type StoredValues<Of> = { readonly [Name in keyof Of]?: string };

/**
 * How a kind is pushed. Its text is the kind's title, made of the values in `names` alone: it is read on locked screens, so
 * no amount is among them. After `hours` nobody is shown it any more. `afterSeconds` leaves time to read it elsewhere first.
 */
export type Push<Name extends string = string> = {
  names: readonly Name[];
  hours: number;
  urgency: "high" | "normal";
  afterSeconds?: number;
};

/** Everything that Wayfare knows about one kind of notification. */
export type Kind<About extends Shape = Shape, Ids extends IdShape = IdShape> = {
  /** Names the kind where its mails and webhook events are chosen. */
  label: string;
  /** Roles that get it, and can choose its mails and events. */
  roles: readonly Role[];
  /** Names and titles for the words, never identity details. */
  about: About;
  /** Ids of the subject. Webhooks send them, and a mail is checked against them when it leaves. */
  ids: Ids;
  /** The webhook event. */
  event: `${string}.${string}`;
  /**
   * Sends the event of a student's news to the assigned agent's webhooks too: always, or while the student shares their
   * papers. `label` names it for agents if the kind's own label speaks to the student.
   */
  followed?: { while: "assigned" | "sharing"; label?: string };
  /** `never`: another mail tells the person. A digest gathers all that comes within some minutes. */
  mail: "immediate" | "never" | Digest;
  /** Minutes after which a mail of its own leaves, at once by default. */
  mailAfter?: number;
  /** Says how it is pushed to browsers that somebody subscribed; without it, it isn't. */
  push?: Push;
  /** Whether it is mailed even to somebody whose account is to be deleted, since their bids and sales bind. */
  reachesLeaving: boolean;
  /** Says what happened. It heads the bell's entry and is the mail's subject. */
  title(about: StoredValues<About>): string;
  /** Adds what the title leaves out. */
  details?(about: StoredValues<About>): string;
  button: string;
};

/** Declares a kind of notification. */
export const kind = <const About extends Shape, const Ids extends IdShape>(
  declared: Kind<About, Ids> & { push?: Push<keyof About & string> },
): Kind<About, Ids> => declared;

export const because = ({ reason = "" }: { reason?: string }): string => reason && ` Reason: ${reason}`;
