import type { HeadSignature } from "#domain/bid-history.ts";
import type { Crypto } from "#domain/history-check.ts";

const encoder = new TextEncoder();
const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns the cryptography of this browser. Browsers without Ed25519 can't check signatures. */
export function browserCrypto(keys: ReadonlyMap<string, string>): Crypto {
  return {
    sha256: async (text) => hexOf(await crypto.subtle.digest("SHA-256", encoder.encode(text))),
    async verify(text: string, { keyId, signature }: HeadSignature) {
      const key = keys.get(keyId);
      if (key === undefined) return false;
      const algorithm = { name: "Ed25519" };
      const imported = await crypto.subtle
        .importKey("raw", bytesOf(key), algorithm, false, ["verify"])
        .catch(() => null);
      if (imported === null) return null;
      return await crypto.subtle.verify(algorithm, imported, bytesOf(signature), encoder.encode(text));
    },
  };
}
