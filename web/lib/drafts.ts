import { queryClient } from "./query-client.ts";

/** What was typed into a form and is not saved yet, by field. */
export type Draft<Field extends string> = Partial<Record<Field, string>>;

const keyOf = (form: string) => ["draft", form] as const;

// Kept among what the tab knows of the person: in memory only, as long as the tab lives, and forgotten when they leave.
queryClient.setQueryDefaults(["draft"], { gcTime: Number.POSITIVE_INFINITY });

/** The unsaved changes of a form; none most of the time. */
export const draftOf = <Field extends string>(form: string): Draft<Field> =>
  queryClient.getQueryData<Draft<Field>>(keyOf(form)) ?? {};

export const dropDraft = (form: string): void => queryClient.removeQueries({ queryKey: keyOf(form) });

/** Keeps those texts that differ from what is stored. */
export function keepDraft<Field extends string>(
  form: string,
  typed: Record<Field, string>,
  stored: Record<Field, string>,
  fields: readonly Field[],
): void {
  const changed = fields.filter((field) => typed[field] !== stored[field]);
  const draft = Object.fromEntries(changed.map((field) => [field, typed[field]]));
  if (changed.length === 0) dropDraft(form);
  else queryClient.setQueryData(keyOf(form), draft);
}
