import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { Context } from "hono";
import { accepts } from "hono/accepts";

type Bytes = Uint8Array<ArrayBuffer>;
/** A text in both encodings in which it is sent, made once for many requests. */
export type CompressedText = { text: Bytes; brotli: Bytes };

const brotli = promisify(brotliCompress);
/** Favours speed over size, because the text is cached for a second at most. */
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

export async function compressed(content: string): Promise<CompressedText> {
  const text = new Uint8Array(Buffer.from(content));
  return { text, brotli: new Uint8Array(await brotli(text, quick)) };
}

export const readsBrotli = (c: Context): boolean =>
  accepts(c, { header: "Accept-Encoding", supports: ["br"], default: "identity" }) === "br";

/** Returns the encoding that the client accepts, and its headers. */
export const negotiateEncoding = (c: Context, { text, brotli }: CompressedText) =>
  readsBrotli(c)
    ? { body: brotli, form: { vary: "accept-encoding", "content-encoding": "br" } }
    : { body: text, form: { vary: "accept-encoding" } };
