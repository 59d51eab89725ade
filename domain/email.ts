import { limits } from "#domain/account.ts";

/** Email addresses are compared without regard to case. */
export const normaliseEmail = (email: string): string => email.trim().toLowerCase();

/**
 * Whether the text has the form of a deliverable address: one local part of the plain characters, one @, a
 * domain of at least two labels. Only the emailed link proves that the mailbox exists.
 */
export function looksLikeEmail(email: string): boolean {
  if (email.length > limits.email) return false;
  const [local = "", domain = "", ...rest] = email.split("@");
  if (
    rest.length > 0 ||
    local.length > 64 ||
    !/^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/.test(local)
  )
    return false;
  const labels = domain.split(".");
  return (
    labels.length >= 2 &&
    labels.every((label) => /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i.test(label)) &&
    /[a-z]/i.test(labels.at(-1) ?? "")
  );
}
