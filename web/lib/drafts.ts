import { queryClient } from "./query-client.ts";

/** What was typed into a form and is not saved yet, by field. */
export type Draft<Field extends string> = Partial<Record<Field, string>>;

/** The first part of each draft's key among what the tab knows. */
export const draftKey = "draft";
const keyOf = (form: string) => [draftKey, form] as const;

// Kept among what the tab knows of the person: in memory only, and no longer than the tab lives.
queryClient.setQueryDefaults([draftKey], { gcTime: Number.POSITIVE_INFINITY });

/** The unsaved changes of a form; none most of the time. */
export const draftOf = <Field extends string>(form: string): Draft<Field> =>
  queryClient.getQueryData<Draft<Field>>(keyOf(form)) ?? {};

export const dropDraft = (form: string): void => queryClient.removeQueries({ queryKey: keyOf(form) });

/** All that was typed and never saved goes, as when somebody logs out on purpose. */
export const dropDrafts = (): void => queryClient.removeQueries({ queryKey: [draftKey] });

/** Keeps those texts that differ from what is stored; a field of which nothing is stored is empty. */
export function keepDraft<Field extends string>(
  form: string,
  typed: Record<Field, string>,
  stored: Partial<Record<Field, string>>,
  fields: readonly Field[],
): void {
  const changed = fields.filter((field) => typed[field] !== (stored[field] ?? ""));
  const draft = Object.fromEntries(changed.map((field) => [field, typed[field]]));
  if (changed.length === 0) dropDraft(form);
  else queryClient.setQueryData(keyOf(form), draft);
}
