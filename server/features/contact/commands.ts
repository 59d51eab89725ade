import { type ContactMessage, contactProblem } from "#domain/contact.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { contactMail } from "./mails.ts";

/** `website` is the content of the field that only bots fill in. */
type ContactInput = ContactMessage & { website: string };

/** Queues a message to the consultancy, unless a bot wrote it. */
export async function sendMessage(
  { database, jobs, limits }: Services,
  { website, ...form }: ContactInput,
  address: string,
): Promise<void> {
  const problem = contactProblem(form);
  if (problem) throw Refusal.of(problem);
  if (website !== "") return;
  const { later } = requireAllowance(await limits.contact(address));
  const message = {
    name: form.name.trim().replaceAll(/\s+/g, " "),
    email: form.email.trim(),
    message: form.message.trim(),
  };
  await database.transaction((tx) => queueMail(jobs, tx, contactMail, message, later));
}
