import { pictureAddress, shownWidth } from "#domain/auction-picture.ts";
import type { Preview } from "#server/platform/page-head.ts";
import type { Services } from "#server/services.ts";

const address = /^\/product\/([^/]*)\/?$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
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

/**
 * What the address of a product says of itself (product page, "A link preview"): title, description and first
 * picture; `missing` for what was removed or never was; null for any other address.
 */
export const productPreview =
  ({ products, environment, log }: Pick<Services, "products" | "environment" | "log">) =>
  async (path: string): Promise<Preview | "missing" | null> => {
    const id = address.exec(path)?.[1]?.toLowerCase();
    if (id === undefined) return null;
    if (!uuid.test(id)) return "missing";
    try {
      const product = await products.read(id);
      if (!product) return "missing";
      const { productName: title, description, grade, subcategory, pictures } = product;
      const [picture] = pictures;
      const shown = picture && shownWidth(width, picture.width);
      return {
        title,
        description: shortened(`${grade} · ${subcategory}. ${description}`),
        url: `${environment.baseUrl}/product/${id}`,
        type: "product",
        image:
          picture && shown
            ? {
                url: environment.baseUrl + pictureAddress(picture.id, width, "jpg"),
                width: shown,
                height: Math.round((picture.height * shown) / picture.width),
              }
            : null,
      };
    } catch (error) {
      // The page itself tells that something is wrong, and tries again.
      log.warn({ err: error }, "a product's preview could not be read");
      return null;
    }
  };
