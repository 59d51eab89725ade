/** A text as a LIKE pattern that finds it anywhere: characters that mean something to LIKE stand for themselves. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
