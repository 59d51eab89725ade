/** The entries of a screen's `meta`: its title, and for public pages what search engines and previews show. */
export const pageMeta = (title: string, description?: string) => [
  { title: `${title} · Wayfare` },
  ...(description ? [{ name: "description", content: description }] : []),
];

/** The same for a screen that a mailed link opens: the link must not reach other sites or an index. */
export const mailedLinkMeta = (title: string, description?: string) => [
  ...pageMeta(title, description),
  { name: "referrer", content: "no-referrer" },
];
