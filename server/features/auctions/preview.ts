import type { ProductState } from "#contract/auctions.ts";
import { pictureAddress, shownWidth } from "#domain/auction-picture.ts";
import type { Preview } from "#server/platform/page-head.ts";

/** The width in pixels of the picture that a preview shows. */
const width = 800;
/** More characters of a description no preview shows. */
const longest = 200;

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest);
  // Not within a word, where there is a space, and never within a character.
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), longest / 2)).toWellFormed()}…`;
}

/** What the address of a product says of itself (product page, "A link preview"): title, description, first picture. */
export function productPreview(product: ProductState, baseUrl: string): Preview {
  const { id, productName: title, description, grade, subcategory, pictures } = product;
  const [picture] = pictures;
  const shown = picture && shownWidth(width, picture.width);
  return {
    title,
    description: shortened(`${grade} · ${subcategory}. ${description}`),
    url: `${baseUrl}/product/${id}`,
    type: "product",
    image:
      picture && shown
        ? {
            url: baseUrl + pictureAddress(picture.id, width, "jpg"),
            width: shown,
            height: Math.round((picture.height * shown) / picture.width),
          }
        : null,
  };
}
