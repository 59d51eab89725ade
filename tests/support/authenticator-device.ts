import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();

/** Encodes the CBOR (RFC 8949) that WebAuthn needs: small integers, texts, bytes and maps. */
function cbor(value: number | string | Uint8Array | Map<number | string, unknown>): Buffer {
  const head = (major: number, size: number) => {
    if (size < 24) return Buffer.from([(major << 5) | size]);
    if (size < 256) return Buffer.from([(major << 5) | 24, size]);
    return Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  };
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, each]) => [cbor(key), cbor(each as never)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

/** The deviations of a dishonest browser or authenticator. */
export type Deviation = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  userVerified?: boolean;
  counter?: number;
  userHandle?: string;
  type?: string;
  format?: string;
  key?: KeyObject;
};

export type Creation = { rp: { id: string }; user: { id: string }; challenge: string };
export type Request = { rpId: string; challenge: string };

/** An authenticator with one passkey, as the server sees it: it signs with ES256 and counts its uses. */
export class AuthenticatorDevice {
  readonly id = base64url(randomBytes(16));
  counter = 0;
  readonly #origin: string;
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  #userHandle = "";

  constructor(origin: string) {
    this.#origin = origin;
  }

  #clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    const origin = deviation.origin ?? this.#origin;
    return Buffer.from(
      JSON.stringify({
        type: deviation.type ?? type,
        challenge: deviation.challenge ?? challenge,
        origin,
        crossOrigin: false,
      }),
    );
  }

  #authenticatorData(rpId: string, deviation: Deviation, attested = Buffer.alloc(0)): Buffer {
    const userPresent = 0x01;
    const userVerified = (deviation.userVerified ?? true) ? 0x04 : 0;
    const flags = userPresent | userVerified | (attested.length > 0 ? 0x40 : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(deviation.counter ?? this.counter);
    return Buffer.concat([sha256(deviation.rpId ?? rpId), Buffer.from([flags]), counter, attested]);
  }

  /** Returns the value that `navigator.credentials.create` would resolve to. */
  create({ rp, user, challenge }: Creation, deviation: Deviation = {}) {
    this.#userHandle = user.id;
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const publicKey = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")],
      ]),
    );
    const id = Buffer.from(this.id, "base64url");
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, publicKey]);
    const attestationObject = cbor(
      new Map<string, unknown>([
        ["fmt", deviation.format ?? "none"],
        ["attStmt", new Map()],
        ["authData", this.#authenticatorData(rp.id, deviation, attested)],
      ]),
    );
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key",
      response: {
        clientDataJSON: base64url(this.#clientData("webauthn.create", challenge, deviation)),
        attestationObject: base64url(attestationObject),
        transports: ["internal"],
      },
    };
  }

  /** Returns the value that `navigator.credentials.get` would resolve to. */
  get({ rpId, challenge }: Request, deviation: Deviation = {}) {
    this.counter++;
    const clientData = this.#clientData("webauthn.get", challenge, deviation);
    const data = this.#authenticatorData(rpId, deviation);
    const key = deviation.key ?? this.#keys.privateKey;
    return {
      id: this.id,
      rawId: this.id,
      type: "public-key",
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(sign("sha256", Buffer.concat([data, sha256(clientData)]), key)),
        userHandle: deviation.userHandle ?? this.#userHandle,
      },
    };
  }
}
