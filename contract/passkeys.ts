import { z } from "zod";

/** Bytes in WebAuthn's base64url encoding. `max`: most characters. */
const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]*$/);

const credential = {
  id: bytes(1400).min(1),
  rawId: bytes(1400).min(1),
  type: z.literal("public-key"),
};

/** An authenticator's proof of a user's identity (WebAuthn's `AuthenticationResponseJSON`). */
export const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4096),
    authenticatorData: bytes(4096),
    signature: bytes(4096),
    /** The account's handle; only a discoverable passkey has it. */
    userHandle: bytes(128).default(""),
  }),
});
export type Assertion = z.infer<typeof assertion>;

/** An authenticator's response to a request for a new passkey (`RegistrationResponseJSON`). */
export const attestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4096),
    attestationObject: bytes(16_384),
    transports: z.array(bytes(20)).max(10).default([]),
  }),
});
export type Attestation = z.infer<typeof attestation>;

const descriptor = z.object({
  id: z.string(),
  type: z.literal("public-key"),
  transports: z.array(z.string()),
});

/** A browser's request to an authenticator (`PublicKeyCredentialRequestOptionsJSON`). `timeout` in milliseconds. */
export const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal("required"),
});
export type RequestOptions = z.infer<typeof requestOptions>;

/** Options for a new passkey (`PublicKeyCredentialCreationOptionsJSON`). */
export const creationOptions = z.object({
  rp: z.object({ name: z.string(), id: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.number() })),
  timeout: z.number(),
  attestation: z.literal("none"),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal("required"),
    requireResidentKey: z.literal(true),
    userVerification: z.literal("required"),
  }),
});
export type CreationOptions = z.infer<typeof creationOptions>;
