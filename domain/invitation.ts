import { limits } from "#domain/account.ts";
import { type Agency, agencyProblem } from "#domain/agency.ts";
import { looksLikeEmail, normaliseEmail } from "#domain/email.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { invalidEmail, tooLong, wrong } from "#domain/problem.ts";
import { isInvisible, nameProblem } from "#domain/single-line.ts";

/** Longest texts of an invitation in characters, and most emails about invitations that one agent may cause per day. */
export const invitationLimits = {
  firstName: limits.name,
  lastName: limits.name,
  message: 300,
  aDay: 100,
} as const;

/** Days for which an invitation can be answered, and days on which it is sent again. */
export const invitationDays = { open: 14, reminders: [3, 10] } as const;

/** Roles in which people are invited. Only admins invite agents. */
export const invitedRoles = ["student", "agent"] as const;
export type InvitedRole = (typeof invitedRoles)[number];

/** States as the inviter sees them. An invited address looks the same whether or not it has an account. */
export const invitationStates = ["invited", "claimed", "declined", "expired", "withdrawn"] as const;
export type InvitationState = (typeof invitationStates)[number];

export const invitationStateLabels: Record<InvitationState, string> = {
  invited: "Invited",
  claimed: "Accepted",
  declined: "Declined",
  expired: "Expired",
  withdrawn: "Withdrawn",
};

/** An invitation as it was entered. */
export type InvitationForm = { firstName: string; lastName: string; email: string; message: string };
type InvitationField = keyof InvitationForm;

const day = 24 * 60 * 60 * 1000;
/** Returns the moment until which an invitation that is sent now can be answered. */
export const invitationEndsAt = (now: Date): Date => new Date(now.getTime() + invitationDays.open * day);

/** Returns the state at a moment: an unanswered invitation expires, whatever is stored. */
export const invitationStateAt = (
  { state, expiresAt }: { state: InvitationState; expiresAt: Date },
  now: Date,
): InvitationState => (state === "invited" && expiresAt.getTime() <= now.getTime() ? "expired" : state);

/** Whether the inviter may send an invitation in this state again, or withdraw it. */
export const maySendAgain = (state: InvitationState): boolean => state === "invited" || state === "expired";
export const mayWithdraw = (state: InvitationState): boolean => state === "invited";

/** Returns the first problem with an invitation, in the order of its form, or null. */
export function invitationProblem(form: InvitationForm): Problem<InvitationField> | null {
  if (isInvisible(form.firstName)) return wrong("firstName", "Please enter a first name.");
  if (form.email.trim() === "") return wrong("email", "Please enter an email address.");
  for (const [field, label] of [
    ["firstName", "First name"],
    ["lastName", "Last name"],
  ] as const) {
    const text = form[field].trim();
    const problem = tooLong(field, label, text, invitationLimits[field]);
    if (problem) return problem;
    const message = nameProblem(text, label);
    if (message) return wrong(field, message);
  }
  const email = form.email.trim();
  if (!looksLikeEmail(email) || email.length > limits.email) return invalidEmail;
  return messageProblem(form.message.trim());
}

/** An invitation of an agent as it was entered. */
export type AgentInvitationForm = InvitationForm & Agency;

/** Returns the first problem with an invitation of an agent, or null. */
export function agentInvitationProblem(form: AgentInvitationForm): Problem<keyof AgentInvitationForm> | null {
  return invitationProblem(form) ?? agencyProblem(form);
}

/** Refuses web addresses, which would become links in a stranger's mailbox. */
function messageProblem(text: string): Problem<InvitationField> | null {
  const problem = tooLong("message", "The message", text, invitationLimits.message);
  if (problem || text === "") return problem;
  return nameProblem(text.replaceAll(/\s+/g, " "), "Message") === null
    ? null
    : wrong("message", "Please leave web addresses and unusual characters out of the message.");
}

/** Returns the invitation to store, or its first problem. */
export function checkInvitation(form: InvitationForm): InvitationForm | Problem<InvitationField> {
  const problem = invitationProblem(form);
  if (problem) return problem;
  return {
    firstName: form.firstName.trim(),
    lastName: form.lastName.trim(),
    email: normaliseEmail(form.email),
    message: form.message.trim(),
  };
}

/** Returns the invitation of an agent to store, or its first problem. */
export function checkAgentInvitation(
  form: AgentInvitationForm,
): AgentInvitationForm | Problem<keyof AgentInvitationForm> {
  const problem = agentInvitationProblem(form);
  if (problem) return problem;
  const invitation = checkInvitation(form);
  if ("code" in invitation) return invitation;
  return { ...invitation, agency: form.agency.trim(), country: form.country.trim() };
}

/** Refuses another invitation of a person who has declined one from the same inviter. */
export const declinedBefore: Problem<"email"> = {
  code: "failed-precondition",
  message: "This person has declined your invitation, so you can't invite them again.",
  field: "email",
};
export const invitedAlready: Problem<"email"> = {
  code: "already-exists",
  message: "You've already invited this address. You can send the invitation again.",
  field: "email",
};
