import type { Message, Thread } from "#contract/conversations.ts";
import { applicationName } from "#domain/application-notification.ts";

export const generalSubject = "General questions";
export const ourTeam = "Our team";

/** Names the subject of a conversation. */
export const subjectOf = (application: Thread["application"]): string =>
  application ? applicationName(application) : generalSubject;

/** Names a message's author, as the viewer knows them. */
export function authorOf({ mine, by }: Pick<Message, "mine" | "by">): string {
  if (mine) return "You";
  if (by === null) return "A former member";
  return by.role === "admin" ? ourTeam : by.name;
}

/** Formats a count, as in "3 files". */
export const amount = (number: number, one: string): string => `${number} ${number === 1 ? one : `${one}s`}`;
