import { type ContactMessage, contactProblem } from "#domain/contact.ts";
import { demandAllowance } from "#server/features/account/allowance.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { contactMail } from "./mails.ts";

/** `website` is the content of the field that only programs fill in. */
type ContactInput = ContactMessage & { website: string };

/** Queues a message to the consultancy, unless a program wrote it. */
export async function sendMessage(
  { database, jobs, limits }: Services,
  { website, ...typed }: ContactInput,
  address: string,
): Promise<void> {
  const problem = contactProblem(typed);
  if (problem) throw Refusal.of(problem);
  if (website !== "") return;
  const { later } = demandAllowance(await limits.contact(address));
  const message = {
    name: typed.name.trim().replaceAll(/\s+/g, " "),
    email: typed.email.trim(),
    message: typed.message.trim(),
  };
  await database.transaction((tx) => queueMail(jobs, tx, contactMail, message, later));
}
