/** The unsaved texts of a form, by field. */
export type Draft<Field extends string> = Partial<Record<Field, string>>;

/** Drafts by form, in memory only: they live as long as the tab. */
const drafts = new Map<string, Draft<string>>();

/** Returns the unsaved changes of a form, usually none. */
export const draftOf = <Field extends string>(form: string): Draft<Field> => drafts.get(form) ?? {};

export const dropDraft = (form: string): void => void drafts.delete(form);

/** Drops all unsaved texts, as when the viewer logs out on purpose. */
export const dropDrafts = (): void => drafts.clear();

/** Keeps the texts that differ from the initial ones; a field without an initial text counts as empty. */
export function keepDraft<Field extends string>(
  form: string,
  texts: Record<Field, string>,
  initial: Partial<Record<Field, string>>,
  fields: readonly Field[],
): void {
  const names = fields.filter((field) => texts[field] !== (initial[field] ?? ""));
  if (names.length === 0) drafts.delete(form);
  else drafts.set(form, Object.fromEntries(names.map((field) => [field, texts[field]])));
}
