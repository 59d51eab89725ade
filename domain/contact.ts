import { limits } from "#domain/account.ts";
import { looksLikeEmail } from "#domain/email.ts";
import { messageOf, type Problem } from "#domain/error-catalogue.ts";

/** Longest texts of a message to the consultancy, in characters. */
export const contactLimits = { name: 120, email: limits.email, message: 4000 } as const;

export type ContactField = "name" | "email" | "message";
export type ContactMessage = Record<ContactField, string>;

/** Returns the first problem with a message to the consultancy, in the order of the form's fields, or null. */
export function contactProblem({ name, email, message }: ContactMessage): Problem<ContactField> | null {
  const wrong = (field: ContactField, message: string): Problem<ContactField> => ({
    code: "form/incomplete",
    message,
    field,
  });
  if (name.trim() === "") return wrong("name", "Please enter your name.");
  if (name.trim().length > contactLimits.name)
    return wrong("name", `Your name must be at most ${contactLimits.name} characters long.`);
  // Uses the form's code instead of a login's, because nobody logs in here.
  if (email.trim() === "") return wrong("email", "Please enter your email address.");
  if (!looksLikeEmail(email.trim())) return wrong("email", messageOf["auth/invalid-email"]);
  if (message.trim() === "") return wrong("message", "Please enter your message.");
  return message.trim().length > contactLimits.message
    ? wrong("message", `Your message must be at most ${contactLimits.message} characters long.`)
    : null;
}
