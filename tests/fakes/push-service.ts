import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  type ECDH,
  randomBytes,
  randomUUID,
  verify,
} from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type ReceivedPush = { path: string; headers: IncomingHttpHeaders; body: Buffer };

/** Opens a push service on loopback, by http. It keeps the messages, and answers 201 or as `answer` says. */
export async function openPushService() {
  const received: ReceivedPush[] = [];
  let answering = 201;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(answering).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    received: received as readonly ReceivedPush[],
    answer: (status: number) => void (answering = status),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
export type PushService = Awaited<ReturnType<typeof openPushService>>;

/** HKDF-SHA-256 in its two steps, for at most 32 bytes (RFC 5869). */
function derive(salt: Buffer, secret: Buffer, info: Buffer, length: number): Buffer {
  const key = createHmac("sha256", salt).update(secret).digest();
  return createHmac("sha256", key)
    .update(Buffer.concat([info, Buffer.of(1)]))
    .digest()
    .subarray(0, length);
}

/** Decrypts a message of one record as its browser does, by RFC 8291 and RFC 8188, without any library. */
export function decryptPush(own: ECDH, auth: Buffer, message: Buffer): string {
  const salt = message.subarray(0, 16);
  const keyLength = message.readUInt8(20);
  const senderKey = message.subarray(21, 21 + keyLength);
  const sealed = message.subarray(21 + keyLength);
  const shared = own.computeSecret(senderKey);
  const words = Buffer.concat([Buffer.from("WebPush: info\0"), own.getPublicKey(), senderKey]);
  const secret = derive(auth, shared, words, 32);
  const key = derive(salt, secret, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(salt, secret, Buffer.from("Content-Encoding: nonce\0"), 12);
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end === -1) throw new Error("the last record has no delimiter");
  return padded.subarray(0, end).toString();
}

/** A browser's subscription with its private keys. */
export class FakeBrowser {
  readonly #service: PushService;
  readonly #keys = createECDH("prime256v1");
  readonly #auth = randomBytes(16);
  readonly #path = `/send/${randomUUID()}`;
  readonly serverKey: string;

  constructor(service: PushService, serverKey: string) {
    this.#service = service;
    this.serverKey = serverKey;
    this.#keys.generateKeys();
  }

  get subscription() {
    return {
      endpoint: this.#service.origin + this.#path,
      p256dh: this.#keys.getPublicKey("base64url"),
      auth: this.#auth.toString("base64url"),
      serverKey: this.serverKey,
    };
  }

  /** The messages that the service has for this browser. */
  get received(): ReceivedPush[] {
    return this.#service.received.filter(({ path }) => path === this.#path);
  }

  /** The messages in plain text. */
  get texts(): string[] {
    return this.received.map(({ body }) => decryptPush(this.#keys, this.#auth, body));
  }

  /** The messages as the service worker reads them. */
  get shown(): { title: string; path: string; tag: string }[] {
    return this.texts.map((text) => JSON.parse(text));
  }
}

/**
 * Checks the sender's signature as a push service does (RFC 8292), and returns its claims. Throws if it isn't by the
 * key that the browser subscribed with.
 */
export function senderOf({ headers }: ReceivedPush, serverKey: string): Record<string, unknown> {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? "") ?? [];
  if (key !== serverKey) throw new Error("the message is signed with another key");
  const point = Buffer.from(key, "base64url");
  const x = point.subarray(1, 33).toString("base64url");
  const y = point.subarray(33).toString("base64url");
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const [head = "", claims = "", signature = ""] = token.split(".");
  const signed = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  if (!verify("sha256", Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, "base64url")))
    throw new Error("the signature is wrong");
  return JSON.parse(Buffer.from(claims, "base64url").toString());
}
