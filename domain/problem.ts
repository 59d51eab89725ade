import { catalogue, type Problem } from "#domain/error-catalogue.ts";

/** Returns the problem of a field that isn't filled in correctly. */
export const wrong = <Field extends string>(field: Field, message: string) =>
  ({ code: "form/incomplete", message, field }) as const satisfies Problem<Field>;

/** Returns the problem of a text that has more characters than `limit` without surrounding spaces, or null. */
export const tooLong = <Field extends string>(field: Field, label: string, text: string, limit: number) =>
  text.trim().length > limit ? wrong(field, `${label} must be at most ${limit} characters long.`) : null;

/** The problem of a text that doesn't look like an email address. Whether the address exists isn't checked. */
export const invalidEmail: Problem<"email"> = {
  code: "auth/invalid-email",
  message: catalogue["auth/invalid-email"],
  field: "email",
};
