import { isSignUpRole, limits, type SignUpRole } from "#domain/account.ts";
import { looksLikeEmail, normaliseEmail } from "#domain/email.ts";
import { type Problem } from "#domain/error-catalogue.ts";
import { lastPasswordProblem, mismatch, type PasswordPolicy, passwordProblem } from "#domain/password.ts";
import { phoneProblem } from "#domain/phone.ts";
import { invalidEmail, wrong } from "#domain/problem.ts";
import { isInvisible, nameProblem } from "#domain/single-line.ts";

/** The sign-up form as it was entered. `role` is empty until one is chosen; agency and country are an agent's. */
export type SignUpForm = {
  role: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  agency: string;
  country: string;
  password: string;
  confirmPassword: string;
};
export type SignUpField = keyof SignUpForm;

/** A checked sign-up, as it is stored: trimmed, except for the password. */
export type SignUp = Omit<SignUpForm, "role" | "confirmPassword"> & { role: SignUpRole };

const names = {
  firstName: ["First name", limits.name],
  lastName: ["Last name", limits.name],
  agency: ["Agency name", limits.agency],
  country: ["Country", limits.country],
} as const satisfies Partial<Record<SignUpField, readonly [label: string, limit: number]>>;

function lineFieldProblem(form: SignUpForm): Problem<SignUpField> | null {
  for (const field of ["firstName", "lastName", "agency", "country"] as const) {
    const [label, limit] = names[field];
    const text = form[field].trim();
    const message =
      text.length > limit ? `${label} must be at most ${limit} characters long.` : nameProblem(text, label);
    if (message) return wrong(field, message);
  }
  const phone = form.phone.trim();
  const message = phone === "" ? null : phoneProblem(phone, "Phone");
  return message === null ? null : wrong("phone", message);
}

/** Returns the texts of a form that a password must not consist of. */
const ownWords = ({ email, firstName, lastName, agency }: SignUpForm) => [email, firstName, lastName, agency];

/**
 * Returns the first problem of a sign-up, or null: missing fields in the order of the form, then an invalid address,
 * invalid names or phone, and last an easily guessed password.
 */
export function signUpProblem(form: SignUpForm, policy: PasswordPolicy): Problem<SignUpField> | null {
  if (isInvisible(form.firstName)) return wrong("firstName", "Please enter your first name.");
  if (isInvisible(form.lastName)) return wrong("lastName", "Please enter your last name.");
  if (form.email.trim() === "") return wrong("email", "Please enter your email address.");
  const weak = passwordProblem(form.password, policy);
  if (weak) return weak;
  if (form.password !== form.confirmPassword) return mismatch;
  if (!isSignUpRole(form.role)) return wrong("role", "Please select your role (Student or Agent).");
  if (form.role === "agent" && isInvisible(form.agency))
    return wrong("agency", "Please enter your agency name.");
  if (form.role === "agent" && isInvisible(form.country))
    return wrong("country", "Please enter your country.");
  if (!looksLikeEmail(form.email.trim())) return invalidEmail;
  return (
    lineFieldProblem(form) ?? lastPasswordProblem(form.password, { ...policy, ownWords: ownWords(form) })
  );
}

/** Returns the sign-up to store, or its first problem. A student's agency and country are left out. */
export function checkSignUp(form: SignUpForm, policy: PasswordPolicy): SignUp | Problem<SignUpField> {
  const problem = signUpProblem(form, policy);
  if (problem) return problem;
  const role = isSignUpRole(form.role) ? form.role : "student";
  const ifAgent = (text: string) => (role === "agent" ? text.trim() : "");
  return {
    role,
    firstName: form.firstName.trim(),
    lastName: form.lastName.trim(),
    email: normaliseEmail(form.email),
    phone: form.phone.trim(),
    agency: ifAgent(form.agency),
    country: ifAgent(form.country),
    password: form.password,
  };
}
