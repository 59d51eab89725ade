/** What was typed into a form and is not saved yet, by field. */
export type Draft<Field extends string> = Partial<Record<Field, string>>;

/** By form; in memory only, and no longer than the tab lives. */
const drafts = new Map<string, Draft<string>>();

/** The unsaved changes of a form; none most of the time. */
export const draftOf = <Field extends string>(form: string): Draft<Field> => drafts.get(form) ?? {};

export const dropDraft = (form: string): void => void drafts.delete(form);

/** All that was typed and never saved goes, as when somebody logs out on purpose. */
export const dropDrafts = (): void => drafts.clear();

/** Keeps those texts that differ from what is stored; a field of which nothing is stored is empty. */
export function keepDraft<Field extends string>(
  form: string,
  typed: Record<Field, string>,
  stored: Partial<Record<Field, string>>,
  fields: readonly Field[],
): void {
  const changed = fields.filter((field) => typed[field] !== (stored[field] ?? ""));
  if (changed.length === 0) drafts.delete(form);
  else drafts.set(form, Object.fromEntries(changed.map((field) => [field, typed[field]])));
}
