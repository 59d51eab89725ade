import { uploadHeaders } from "#tests/support/documents.ts";
import { signUpForm } from "#tests/support/factories.ts";
import { painted, productForm } from "#tests/support/pictures.ts";
import type { Server } from "#tests/support/server-process.ts";

/** Returns a picture as large as a photograph: plain colour would shrink to nothing. */
async function photograph(colour: string): Promise<Uint8Array<ArrayBuffer>> {
  const size = { width: 1600, height: 1200, channels: 3 } as const;
  const noise = { type: "gaussian", mean: 128, sigma: 24 } as const;
  const grain = { input: { create: { ...size, background: colour, noise } }, blend: "soft-light" } as const;
  const picture = painted(size.width, size.height, colour).composite([grain]);
  return new Uint8Array(await picture.jpeg({ quality: 82 }).toBuffer());
}

/** Puts a product with three pictures on sale, as a browser does; returns the path of its page. */
export async function openAuction({ url }: Server): Promise<string> {
  async function post(path: string, headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>) {
    const response = await fetch(url + path, { method: "POST", headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return { cookies: response.headers.getSetCookie(), answer: JSON.parse(text) };
  }
  const calls = { "content-type": "application/json", "x-csrf-token": "orpc" };
  const { cookies } = await post("/rpc/account/signUp", calls, JSON.stringify({ json: signUpForm() }));
  const seller = { cookie: cookies.map((line) => line.split(";", 1)[0]).join("; ") };

  const pictures = ["#7a5230", "#405a4e", "#8a6d4a"].map(async (colour): Promise<string> => {
    const headers = { ...seller, ...uploadHeaders("desk.jpg") };
    const { answer } = await post("/files/auction-pictures", headers, await photograph(colour));
    return answer.id;
  });
  const json = productForm({ images: await Promise.all(pictures) });
  const body = JSON.stringify({ json, meta: [[1, "endDate"]] });
  const { answer } = await post("/rpc/auctions/create", { ...calls, ...seller }, body);
  return `/product/${answer.json.id}`;
}
