import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { Context } from "hono";
import { accepts } from "hono/accepts";

type Bytes = Uint8Array<ArrayBuffer>;
/** A text in both forms in which it is sent, made once for many who ask for it. */
export type Compressed = { text: Bytes; brotli: Bytes };

const brotli = promisify(brotliCompress);
/** Quick rather than small: it is kept for a second at most. */
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

export async function compressed(content: string): Promise<Compressed> {
  const text = new Uint8Array(Buffer.from(content));
  return { text, brotli: new Uint8Array(await brotli(text, quick)) };
}

/** Of an answer that exists in both forms. */
export const inBrotli = { vary: "accept-encoding", "content-encoding": "br" };
export const asItIs = { vary: "accept-encoding" };

export const readsBrotli = (c: Context): boolean =>
  accepts(c, { header: "Accept-Encoding", supports: ["br"], default: "identity" }) === "br";
