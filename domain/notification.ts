import type { Role } from "./account.ts";
import type { Digest } from "./digest.ts";
import { keysOf } from "./keys-of.ts";
import { agents, assignments } from "./notifications/assignments.ts";
import { auctions } from "./notifications/auctions.ts";
import type { Kind, NewValues, StoredValues } from "./notifications/kind.ts";
import { offers } from "./notifications/offers.ts";
import { planner } from "./notifications/planner.ts";
import { reports } from "./notifications/reports.ts";
import { sales } from "./notifications/sales.ts";
import { service, webhooks } from "./notifications/service.ts";
import { studies } from "./notifications/studies.ts";

const table = {
  ...assignments,
  ...agents,
  ...service,
  ...studies,
  ...planner,
  ...offers,
  ...auctions,
  ...reports,
  ...sales,
  ...webhooks,
};
type Table = typeof table;
export type NotificationKind = keyof Table;

/** Every kind of notification, in the order in which users see their switches. A new kind is one entry. */
export const notificationTable: Readonly<Record<NotificationKind, Kind>> = table;
export const notificationKinds = keysOf(table);
export const isNotificationKind = (kind: string): kind is NotificationKind => Object.hasOwn(table, kind);

/** The required and the optional values of a new notification of a kind. */
export type NewAbout<Of extends NotificationKind> = NewValues<Table[Of]["about"]>;
export type NewIds<Of extends NotificationKind> = NewValues<Table[Of]["ids"]>;
/** The values that a stored notification of a kind may have. */
export type StoredAbout<Of extends NotificationKind> = StoredValues<Table[Of]["about"]>;

type Texts = Readonly<Record<string, string>>;

/** Reads a kind's values from a stored notification of any version. */
export function readAbout(kind: NotificationKind, values: Readonly<Record<string, unknown>>): Texts {
  const names = Object.keys(notificationTable[kind].about);
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}

/** Returns a notification's whole text for an email: its title as a sentence, and the details. */
export function notificationText(kind: NotificationKind, about: Texts): string {
  const { title, details } = notificationTable[kind];
  const sentence = title(about).replace(/(?<![.!?…]"?)$/, ".");
  return `${sentence} ${details?.(about) ?? ""}`.trim();
}

const kindsFor = (role: Role): readonly NotificationKind[] =>
  notificationKinds.filter((kind) => table[kind].roles.includes(role));

/** Kinds of notifications by role. Users can switch off the emails about theirs. */
export const notificationKindsOf: Readonly<Record<Role, readonly NotificationKind[]>> = {
  student: kindsFor("student"),
  agent: kindsFor("agent"),
  admin: kindsFor("admin"),
};

/** Returns the digest of a kind, or null for one that is emailed alone or never. */
export function digestOf(kind: NotificationKind): Digest | null {
  const { mail } = table[kind];
  return mail === "immediate" || mail === "never" ? null : mail;
}

/** Returns the kinds in a digest. */
export const kindsInDigest = (digest: Digest): readonly NotificationKind[] =>
  notificationKinds.filter((kind) => digestOf(kind) === digest);
