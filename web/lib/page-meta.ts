import { configuration } from "./configuration.ts";

export const pageTitle = (title: string): string => `${title} · Wayfare`;

/** Returns the entries of a screen's `meta`. A screen without a description is hidden from search engines. */
export const pageMeta = (title: string, description?: string) => [
  { title: pageTitle(title) },
  description ? { name: "description", content: description } : { name: "robots", content: "noindex" },
];

/** Returns the entries of a public page: also its canonical address and the preview of a link to it. */
export function publicMeta(path: string, title: string, description: string) {
  const { baseUrl } = configuration();
  const preview = {
    "og:site_name": "Wayfare",
    "og:type": "website",
    "og:title": title,
    "og:description": description,
    "og:url": baseUrl + path,
    "og:image": `${baseUrl}/social.png`,
  };
  return [
    ...pageMeta(title, description),
    { tagName: "link", rel: "canonical", href: baseUrl + path },
    ...Object.entries(preview).map(([property, content]) => ({ property, content })),
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/** A `meta` entry that keeps a mailed link from reaching other sites, for the screen that it opens. */
export const noReferrer = { name: "referrer", content: "no-referrer" };

/**
 * The `handle` of a screen whose HTML depends on the query of its address: `query` returns the relevant part of it in a
 * canonical form. The HTML of every other screen is the same for all queries.
 */
export type QueryDependentHandle = { query: (params: URLSearchParams) => string };

/** Distinguishes only whether there is a token, for a screen that a mailed link opens. */
export const tokenOnly: QueryDependentHandle = { query: (params) => (params.has("token") ? "?token=" : "") };
