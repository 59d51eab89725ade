import { programmeLimits } from "#domain/programme.ts";

/** Whether a text can be the slug of a programme. */
export const isSlug = (text: string): boolean => /^[a-z0-9-]{1,200}$/.test(text);

/** Returns the slugs in a text with commas between them: each once, and at most as many as can be compared. */
export const slugsIn = (text: string | null): string[] =>
  [...new Set((text ?? "").split(","))].filter(isSlug).slice(0, programmeLimits.compared);
