import type { Role } from "../account.ts";
import type { Digest } from "../digest.ts";

/** Ids by which a notification can identify its subject. */
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
/** The values of a new notification. */
export type NewValues<Of> = { readonly [Name in NamesWith<Of, "always">]: string } & {
  readonly [Name in NamesWith<Of, "sometimes">]?: string;
};
/** The values of a stored notification. An earlier version may have left any of them out. */
export type StoredValues<Of> = { readonly [Name in keyof Of]?: string };

/**
 * How a kind is pushed. The text is the kind's title with only the values in `names`, which include no amount, since it
 * appears on locked screens. It isn't shown after `hours`. `afterSeconds` leaves time to read it elsewhere first.
 */
export type Push<Name extends string = string> = {
  names: readonly Name[];
  hours: number;
  urgency: "high" | "normal";
  afterSeconds?: number;
};

/** The definition of one kind of notification. */
export type Kind<About extends Shape = Shape, Ids extends IdShape = IdShape> = {
  /** Names the kind in the choice of emails and webhook events. */
  label: string;
  /** Roles that get it, and can choose its emails and events. */
  roles: readonly Role[];
  /** Names and titles for its texts, never identity details. */
  about: About;
  /** Ids of the subject. Webhooks send them, and an email is checked against them when it is sent. */
  ids: Ids;
  /** The webhook event. */
  event: `${string}.${string}`;
  /**
   * Sends a student's event to the assigned agent's webhooks too: always, or while the student shares their papers.
   * `label` names it for agents if the kind's own label addresses the student.
   */
  followed?: { while: "assigned" | "sharing"; label?: string };
  /** `never`: another email informs the user. A digest combines all notifications within some minutes. */
  mail: "immediate" | "never" | Digest;
  /** Minutes after which its own email is sent; immediately by default. */
  mailAfter?: number;
  /** How it is pushed to subscribed browsers, if at all. */
  push?: Push;
  /** Whether it is emailed even to users whose account is to be deleted, since their bids and sales are binding. */
  reachesLeaving: boolean;
  /** Says what happened, as the title of the bell's entry and the subject of the email. */
  title(about: StoredValues<About>): string;
  /** Adds what the title leaves out. */
  details?(about: StoredValues<About>): string;
  button: string;
};

/** Declares a kind of notification. */
export const kind = <const About extends Shape, const Ids extends IdShape>(
  definition: Kind<About, Ids> & { push?: Push<keyof About & string> },
): Kind<About, Ids> => definition;

export const because = ({ reason = "" }: { reason?: string }): string => reason && ` Reason: ${reason}`;
