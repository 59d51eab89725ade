import { catalogue, type Problem } from "#domain/error-catalogue.ts";

/** A field that isn't filled in as it should be. */
export const wrong = <Field extends string>(field: Field, message: string) =>
  ({ code: "form/incomplete", message, field }) as const satisfies Problem<Field>;

/** A text with more characters than are stored, spaces around it aside; null for any other. */
export const tooLong = <Field extends string>(field: Field, label: string, text: string, limit: number) =>
  text.trim().length > limit ? wrong(field, `${label} must be at most ${limit} characters long.`) : null;

/** The form of an address, not whether anybody has it. */
export const invalidEmail: Problem<"email"> = {
  code: "auth/invalid-email",
  message: catalogue["auth/invalid-email"],
  field: "email",
};
