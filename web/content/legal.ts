/** A chapter of Privacy or Terms: paragraphs, optionally with a list under them. */
type Chapter = { title: string; paragraphs: readonly string[]; list?: readonly string[] };
export type LegalText = { lead: string; updated: string; chapters: readonly Chapter[] };
