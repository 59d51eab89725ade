import { createECDH, ECDH } from "node:crypto";
import webPush from "web-push";
import type { Push } from "#domain/notifications/kind.ts";
import type { Keys } from "#server/platform/keys.ts";

/** The order of the curve P-256: its private keys are the whole numbers from 1 up to it. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

type KeyPair = { publicKey: string; privateKey: string };

function pairOf(seed: Buffer): KeyPair {
  const number = (BigInt(`0x${seed.toString("hex")}`) % (order - 1n)) + 1n;
  const privateKey = Buffer.from(number.toString(16).padStart(64, "0"), "hex");
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(privateKey);
  return {
    publicKey: ecdh.getPublicKey("base64url"),
    privateKey: privateKey.toString("base64url"),
  };
}

type Recipient = { endpoint: string; p256dh: string; auth: string; serverKey: string };
/** `topic`: a later message with the same topic replaces this one while it waits. `seconds`: the time it may wait. */
type PushMessage = { text: string; topic: string; seconds: number; urgency: Push["urgency"] };
type PushRequest = { headers: Record<string, string>; body: Buffer };

/** Whether a text is a public key of the curve. */
function isPoint(key: string): boolean {
  try {
    ECDH.convertKey(key, "prime256v1", "base64url", "hex", "uncompressed");
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates our side of Web Push: the keys that identify us to a push service (VAPID, RFC 8292), and messages that only
 * the browser can read (RFC 8291). The keys are derived from the session secrets. Browsers subscribe for the newest
 * key; subscriptions for an older one work until its secret is gone.
 */
export function createPushKeys(keys: Pick<Keys, "all">, contactEmail: string) {
  const [newest, ...older] = keys.all("push").map(pairOf);
  if (newest === undefined) throw new Error("there is no secret");
  const pairs = new Map([newest, ...older].map((pair) => [pair.publicKey, pair]));

  return {
    /** The key that browsers subscribe for. */
    publicKey: newest.publicKey,
    /** Every key that messages can be signed for. */
    publicKeys: [...pairs.keys()],
    isPoint,
    /** Encrypts and signs a message; null when the browser subscribed for a key that is gone. */
    requestFor({ endpoint, p256dh, auth, serverKey }: Recipient, message: PushMessage): PushRequest | null {
      const pair = pairs.get(serverKey);
      if (!pair) return null;
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        message.text,
        {
          vapidDetails: { subject: `mailto:${contactEmail}`, ...pair },
          TTL: message.seconds,
          urgency: message.urgency,
          topic: message.topic,
          contentEncoding: "aes128gcm",
        },
      );
      return { headers: textHeaders(headers), body };
    },
  };
}

/** Returns the library's headers as strings, without the length, which the HTTP client sets. */
const textHeaders = (headers: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.toLowerCase() === "content-length" ? [] : [[name.toLowerCase(), String(value)]],
    ),
  );
