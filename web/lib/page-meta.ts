import { configuration } from "./configuration.ts";

export const pageTitle = (title: string): string => `${title} · Wayfare`;

/** The entries of a screen's `meta`. One that has nothing to say to a search engine is not for it. */
export const pageMeta = (title: string, description?: string) => [
  { title: pageTitle(title) },
  description ? { name: "description", content: description } : { name: "robots", content: "noindex" },
];

/** The same for a public page: with the one address that it goes by and what previews of a link to it show. */
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

/** For a screen that a mailed link opens: the link must not reach other sites. */
export const noReferrer = { name: "referrer", content: "no-referrer" };

/**
 * A screen's `handle`, where its HTML depends on the query of its address: `query` writes those parts of it that count,
 * in one way for all that look the same. The HTML of every other screen is the same for all queries.
 */
export type RenderedOnce = { query: (params: URLSearchParams) => string };

/** For a screen that a mailed link opens: that there is a token counts, not which. */
export const tokenOnly: RenderedOnce = { query: (params) => (params.has("token") ? "?token=" : "") };
