import { catalogue, type Problem } from "#domain/error-catalogue.ts";

/** A field that isn't filled in as it should be. */
export const wrong = <Field extends string>(field: Field, message: string) =>
  ({ code: "form/incomplete", message, field }) as const satisfies Problem<Field>;

/** Returns the problem of a text with more characters than are stored, spaces around it aside; null for any other. */
export const tooLong = <Field extends string>(field: Field, label: string, text: string, limit: number) =>
  text.trim().length > limit ? wrong(field, `${label} must be at most ${limit} characters long.`) : null;

/** The problem of a text that has no address's form. Nobody checks whether the address exists. */
export const invalidEmail: Problem<"email"> = {
  code: "auth/invalid-email",
  message: catalogue["auth/invalid-email"],
  field: "email",
};
