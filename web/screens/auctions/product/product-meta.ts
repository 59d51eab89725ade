import type { ProductState } from "#contract/auctions.ts";
import { categoryLabels, type Grade } from "#domain/auction.ts";
import { productPath } from "#protocol/addresses.ts";
import { pictureAddress, shownWidth } from "#protocol/picture-files.ts";
import { configuration } from "../../../lib/configuration.ts";
import { pageMeta } from "../../../lib/page-meta.ts";

/** Width in pixels of a preview's picture. */
const width = 800;
/** Maximum characters of a description; no preview shows more. */
const longest = 200;

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest);
  // Cuts at a space if there is one, and never within a character.
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), longest / 2)).toWellFormed()}…`;
}

const schema = "https://schema.org";
const availability = { open: "InStock", sold: "SoldOut", unsold: "Discontinued" } as const;
const conditions: Record<Grade, string> = {
  New: "NewCondition",
  "Grade A+": "UsedCondition",
  "Grade A": "UsedCondition",
  "Grade B": "UsedCondition",
  "Grade C": "DamagedCondition",
};

/** A product on offer at its current price, as schema.org describes it. */
function productData(product: ProductState, url: string, baseUrl: string) {
  const { id, productName: name, description, category, subcategory, grade, pictures } = product;
  return {
    "@context": schema,
    "@type": "Product",
    sku: id,
    name,
    description: shortened(description),
    category: `${categoryLabels[category]} > ${subcategory}`,
    itemCondition: `${schema}/${conditions[grade]}`,
    image: pictures.map((picture) => baseUrl + pictureAddress(picture.id, width, "jpg")),
    offers: {
      "@type": "Offer",
      url,
      price: (product.price / 100).toFixed(2),
      priceCurrency: "ZAR",
      availability: `${schema}/${availability[product.state]}`,
      availabilityEnds: new Date(product.endDate).toISOString(),
    },
  };
}

/** Returns the `meta` of a product's page: title, description, first picture, and its data for search engines. */
export function productMeta(product: ProductState) {
  const { id, productName: title, description, grade, subcategory, pictures } = product;
  const { baseUrl } = configuration();
  const url = baseUrl + productPath(id);
  const [picture] = pictures;
  const pictureWidth = picture && shownWidth(width, picture);
  const image =
    picture && pictureWidth
      ? {
          "og:image": baseUrl + pictureAddress(picture.id, width, "jpg"),
          "og:image:width": String(pictureWidth),
          "og:image:height": String(Math.round((picture.height * pictureWidth) / picture.width)),
          "og:image:alt": title,
        }
      : {};
  const summary = shortened(`${grade} · ${subcategory}. ${description}`);
  const preview = {
    "og:site_name": "Wayfare",
    "og:title": title,
    "og:description": summary,
    "og:type": "product",
    "og:url": url,
    ...image,
  };
  return [
    ...pageMeta(title, summary),
    { tagName: "link", rel: "canonical", href: url },
    ...Object.entries(preview).map(([property, content]) => ({ property, content })),
    { name: "twitter:card", content: picture ? "summary_large_image" : "summary" },
    { "script:ld+json": productData(product, url, baseUrl) },
  ];
}
