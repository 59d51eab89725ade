import { z } from "zod";
import { compose } from "#server/platform/mail.ts";
import type { MailKind } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";

/** A message to the consultancy. Its job contains the text itself, which is stored nowhere else. */
export type Message = { name: string; email: string; message: string };

export const contactMail: MailKind<Message, Services> = {
  name: "contact",
  data: z.object({ name: z.string(), email: z.string(), message: z.string() }),
  async write({ environment }, { name, email, message }) {
    return compose({
      to: environment.contactEmail,
      subject: `Contact form: message from ${name}`,
      paragraphs: [
        `${name} <${email}> sent this message through the contact form. We haven't checked that the address is theirs.`,
        message,
        "Replies to this email go to that address.",
      ],
      replyTo: email,
    });
  },
};
