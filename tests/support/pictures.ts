import sharp, { type Sharp } from "sharp";
import { pictureAddress, pictureFormats, pictureWidths } from "#protocol/picture-files.ts";
import type { Caller } from "./caller.ts";
import { uploadHeaders } from "./documents.ts";
import type { Person } from "./factories.ts";
import { keysIn } from "./stores.ts";
import type { Wayfare } from "./wayfare.ts";

/** Paints pictures that can be decoded, unlike those of files.ts, which only have a picture's beginning and end. */
export const painted = (width = 64, height = 48, colour = "#0e5a4e"): Sharp =>
  sharp({ create: { width, height, channels: 3, background: colour } });

type PictureAnswer = {
  status: number;
  id: string;
  width: number;
  height: number;
  code: string;
  message: string;
  retryAfter: string | null;
};

/** Sends a picture as a page does. */
export async function sendPicture(
  { caller }: { caller: Caller },
  bytes: Uint8Array,
  headers: Record<string, string> = {},
): Promise<PictureAnswer> {
  const response = await caller.request("/files/auction-pictures", {
    method: "POST",
    headers: { ...uploadHeaders("picture"), ...headers },
    body: new Uint8Array(bytes),
  });
  const text = await response.text();
  const {
    id = "",
    width = 0,
    height = 0,
    code = "",
    message = "",
  } = text.startsWith("{") ? JSON.parse(text) : {};
  const retryAfter = response.headers.get("retry-after");
  return { status: response.status, id, width, height, code, message, retryAfter };
}

/** Uploads a picture for a product; returns its id. */
export async function readyPicture(who: Person): Promise<string> {
  return (await sendPicture(who, await painted().jpeg().toBuffer())).id;
}

/** Fetches the six files of a picture. */
export async function filesOfPicture(caller: Caller, id: string) {
  const variants = pictureWidths.flatMap((width) => pictureFormats.map((format) => ({ width, format })));
  return await Promise.all(
    variants.map(async ({ width, format }) => {
      const response = await caller.request(pictureAddress(id, width, format), {});
      return { width, format, response, bytes: Buffer.from(await response.arrayBuffer()) };
    }),
  );
}

/** Returns the stored files of all pictures, and all unfinished uploads. */
export const pictureFilesIn = async (w: Wayfare): Promise<string[]> =>
  (await keysIn(w)).filter((key) => key.startsWith("auction-images/") || key.startsWith("incoming/"));

/** A product's upload form, valid except for its missing pictures. */
export const productForm = (changes: object = {}) => ({
  productName: "Walnut writing desk",
  description: "Solid walnut, two drawers.",
  startingBid: "R 1,500.50",
  category: "home",
  subcategory: "Furniture",
  grade: "Grade A",
  endDate: new Date(Date.now() + 24 * 3_600_000),
  images: [],
  ...changes,
});

/** Calls a procedure whose input has a date, in the format of the browser's client. */
export const createProduct = ({ caller }: Person, form: ReturnType<typeof productForm>) =>
  caller.call("auctions.create", {}, { body: JSON.stringify(dated(form)) });

const dated = (form: { endDate: Date | null }) =>
  form.endDate === null ? { json: form } : { json: form, meta: [[1, "endDate"]] };
