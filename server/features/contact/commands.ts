import { type ContactMessage, contactProblem } from "#domain/contact.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { contactMail } from "./mails.ts";

/** `website`: what stands in the field that only programs fill in. */
type Typed = ContactMessage & { website: string };
export type ContactOutcome =
  | { kind: "sent" }
  | { kind: "problem"; problem: Problem }
  | { kind: "locked"; retryAfter: number };

/** Queues a message to the consultancy, unless a program wrote it or there were too many. */
export async function sendMessage(
  { database, jobs, limits }: Services,
  { website, ...typed }: Typed,
  address: string,
): Promise<ContactOutcome> {
  const problem = contactProblem(typed);
  if (problem) return { kind: "problem", problem };
  if (website !== "") return { kind: "sent" };
  const allowance = await limits.contact(address);
  if (allowance.kind === "locked") return allowance;
  const message = {
    name: typed.name.trim().replaceAll(/\s+/g, " "),
    email: typed.email.trim(),
    message: typed.message.trim(),
  };
  await database.transaction((tx) => queueMail(jobs, tx, contactMail, message, allowance.later));
  return { kind: "sent" };
}
