import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/**
 * Purposes of keys, each with the name by which its key is derived from a secret (HKDF-SHA-256): no key has two uses. A
 * name is never changed. The table "Keys" in docs/security.md says what each of them protects.
 */
export const purposes = {
  sessionCookie: "wayfare session cookie",
  deviceCookie: "wayfare device cookie",
  fileLink: "wayfare file link",
  unsubscribeLink: "wayfare unsubscribe link",
  bidderTag: "wayfare bidder tag",
  mailboxCode: "wayfare mailbox code",
  secondFactorLink: "wayfare second factor link",
  secondFactorStorage: "wayfare second factor storage",
  webhookSecretStorage: "wayfare webhook secret storage",
  push: "wayfare push",
  fingerprint: "wayfare secret fingerprint",
  auctionReceipt: "wayfare auction receipt",
  auctionLog: "wayfare auction log",
} as const;
export type Purpose = keyof typeof purposes;

/** Secrets, the newest first. */
export type Secrets = readonly [string, ...string[]];
export type Keys = ReturnType<typeof createKeys>;
/**
 * HMAC-SHA-256: signs with the newest secret's key, and accepts signatures by any secret's key, if canonically encoded.
 */
export type Signer = {
  sign(text: string): Buffer;
  accepts(text: string, signature: string, encoding?: "base64" | "base64url"): boolean;
};
/** AES-256-GCM: seals with the newest secret's key, and opens texts sealed with any secret's key. */
export type Box = {
  seal(text: string): string;
  open(sealed: string): string;
  stateOf(sealed: string): SealState;
};
/** The secret that a text is sealed with; `lost`: none of the current ones. */
export type SealState = "newest" | "older" | "lost";

/** An Ed25519 key, whose signatures everyone can check. `publicKey` has 32 bytes, and `id` identifies it. */
export type SigningKey = { id: string; privateKey: KeyObject; publicKey: Buffer };

const leastCharacters = 32;

/**
 * Reads the secrets of SESSION_SECRET or its file. Commas or line breaks separate them, if each has at least 32
 * characters. Any other text is a single secret.
 */
export function readSecrets(text: string): Secrets {
  const parts = text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter(Boolean);
  const [newest, ...older] = parts;
  if (newest === undefined || older.length === 0 || parts.some((part) => part.length < leastCharacters))
    return [text];
  return [newest, ...older];
}

const hmac = (key: KeyObject, text: string) => createHmac("sha256", key).update(text).digest();

/** Derives the keys of every purpose from each of the secrets. */
export function createKeys(secrets: Secrets) {
  const [newestSecret, ...older] = secrets;
  const derive = (secret: string, purpose: Purpose) =>
    Buffer.from(hkdfSync("sha256", secret, "", purposes[purpose], 32));
  const newest = (purpose: Purpose) => derive(newestSecret, purpose);
  /** Returns the keys of a purpose, the newest secret's first. */
  const all = (purpose: Purpose): readonly [Buffer, ...Buffer[]] => [
    newest(purpose),
    ...older.map((secret) => derive(secret, purpose)),
  ];

  function signer(purpose: Purpose): Signer {
    // Key objects are created once: with bytes, each signature would create one, at four times the cost of signing.
    const [newestKey, ...olderKeys] = all(purpose);
    const key = createSecretKey(newestKey);
    // Earlier versions signed cookies with the secret itself. These cookies last 30 days.
    const former =
      purpose === "sessionCookie" ? secrets.map((secret) => createSecretKey(secret, "utf8")) : [];
    const accepted = [key, ...olderKeys.map((bytes) => createSecretKey(bytes)), ...former];
    return {
      sign: (text) => hmac(key, text),
      accepts(text, signature, encoding = "base64url") {
        const bytes = Buffer.from(signature, encoding);
        if (bytes.toString(encoding) !== signature) return false;
        return accepted.some((each) => {
          const expected = hmac(each, text);
          return bytes.length === expected.length && timingSafeEqual(bytes, expected);
        });
      },
    };
  }

  function box(purpose: Purpose): Box {
    const key = newest(purpose);
    const others = older.map((secret) => derive(secret, purpose));
    return {
      seal(text) {
        const nonce = randomBytes(12);
        const cipher = createCipheriv("aes-256-gcm", key, nonce);
        const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
        return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64");
      },
      open(sealed) {
        for (const each of [key, ...others]) {
          const text = openWith(each, sealed);
          if (text !== null) return text;
        }
        throw new Error("This was sealed with a secret that SESSION_SECRET no longer has.");
      },
      stateOf(sealed) {
        if (openWith(key, sealed) !== null) return "newest";
        return others.some((each) => openWith(each, sealed) !== null) ? "older" : "lost";
      },
    };
  }

  /** Returns the signing keys of all secrets, the newest first. */
  function signingKeys(purpose: Purpose): readonly [SigningKey, ...SigningKey[]] {
    const keyOf = (secret: string) => signingKey(derive(secret, purpose));
    return [keyOf(newestSecret), ...older.map(keyOf)];
  }

  /** Fingerprints tell secrets apart in the database without revealing them. */
  const fingerprints = secrets.map((secret) => derive(secret, "fingerprint").toString("base64url"));

  return { count: secrets.length, newest, all, signer, box, signingKeys, fingerprints };
}

/** An Ed25519 key in PKCS #8 is these bytes and its seed (RFC 8410); a public one in SPKI ends with its 32 bytes. */
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

function signingKey(seed: Buffer): SigningKey {
  const der = Buffer.concat([pkcs8Prefix, seed]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(-32);
  const id = createHash("sha256").update(publicKey).digest("hex").slice(0, 16);
  return { id, privateKey, publicKey };
}

/** Opens a sealed text. Null if another key has sealed it. */
function openWith(key: Buffer, sealed: string): string | null {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(12, 28));
  const body = decipher.update(bytes.subarray(28));
  try {
    return Buffer.concat([body, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
