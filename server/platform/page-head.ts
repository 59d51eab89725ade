import { escapeHtml, escapeJson } from "./escape-html.ts";

/** What an address says of itself to whoever makes a preview of it. Addresses are absolute; sizes in pixels. */
export type Preview = {
  title: string;
  description: string;
  url: string;
  /** As Open Graph names what it is. */
  type: string;
  image: { url: string; width: number; height: number } | null;
  /** What search engines read of it, as schema.org has it. */
  data: object;
};

const property = (name: string, content: string) =>
  `<meta property="${name}" content="${escapeHtml(content)}"/>`;
const named = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}"/>`;

/** Title, description, canonical link and what messengers, networks and search engines read, as they stand in a page's head. */
export function previewTags({ title, description, url, type, image, data }: Preview): string {
  const picture = image
    ? [
        property("og:image", image.url),
        property("og:image:width", String(image.width)),
        property("og:image:height", String(image.height)),
        property("og:image:alt", title),
      ]
    : [];
  return [
    `<title>${escapeHtml(`${title} · Wayfare`)}</title>`,
    named("description", description),
    `<link rel="canonical" href="${escapeHtml(url)}"/>`,
    property("og:site_name", "Wayfare"),
    property("og:title", title),
    property("og:description", description),
    property("og:type", type),
    property("og:url", url),
    ...picture,
    named("twitter:card", image ? "summary_large_image" : "summary"),
    `<script type="application/ld+json">${escapeJson(JSON.stringify(data))}</script>`,
  ].join("");
}

/** For what isn't there. */
export const notIndexed = named("robots", "noindex");

/** What an `<img>` or a `<source>` chooses its file by. */
export type Sources = { srcSet: string; sizes: string };

/** Fetches a picture in WebP ahead of everything that is not painted at once; nothing where there is none. */
export const picturePreload = (picture: Sources | null): string =>
  picture
    ? `<link rel="preload" as="image" type="image/webp" fetchpriority="high" imagesrcset="${escapeHtml(picture.srcSet)}" imagesizes="${escapeHtml(picture.sizes)}"/>`
    : "";

const ownWords = /<title>[^<]*<\/title>(<meta name="description"[^>]*>)?/;
/** A built page with these tags in its head, instead of its own title and description where they bring some. */
export function withHead(html: string, tags: string): string {
  const bare = tags.startsWith("<title>") ? html.replace(ownWords, "") : html;
  return bare.replace("</head>", () => `${tags}</head>`);
}
