import { createHash, randomBytes } from "node:crypto";
import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { decodeAttestationObject } from "@simplewebauthn/server/helpers";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Assertion, Attestation, CreationOptions, RequestOptions } from "#contract/passkeys.ts";
import { isKept, keep } from "#server/features/account/kept-values.ts";
import { verification } from "#server/features/account/tables.ts";
import type { Database } from "#server/platform/database.ts";
import { passkey } from "./tables.ts";

/** The purpose of a challenge. Anyone may answer one for a login, but only its account the others. */
export type ChallengePurpose = { for: "login" } | { for: "confirm" | "register"; userId: string };

/** EdDSA, ES256 and RS256 in COSE's numbers: the algorithms that today's authenticators support. */
const algorithms = [-8, -7, -257];

/** Extensions are neither requested nor read. */
const noExtensions = { clientExtensionResults: {} };

/** Milliseconds in which a challenge has to be answered. */
const challengeLifetime = 5 * 60 * 1000;
const prefix = "passkey-challenge:";

type Registration = {
  userId: string;
  email: string;
  credentials: readonly { id: string; transports: string[] }[];
};
/** A passkey as it is stored. `publicKey` is base64url, like every WebAuthn value that is text here. */
export type StoredPasskey = { credentialId: string; publicKey: string; counter: number; userId: string };

/** Encodes an account's id as the user handle that an authenticator returns with a passkey. */
const handleOf = (userId: string) => Buffer.from(userId).toString("base64url");

const identifierOf = (challenge: string) =>
  `${prefix}${createHash("sha256").update(challenge).digest("base64url")}`;

/** Returns the challenge in the `clientDataJSON` of a response; null if that can't be read. */
function challengeOf(clientDataJSON: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    const { challenge }: { challenge?: unknown } = Object(data);
    return typeof challenge === "string" ? challenge : null;
  } catch {
    return null;
  }
}

/** Whether the attestation lacks a manufacturer's certificate, whose check would contact addresses named in it. */
function isWithoutCertificate(attestationObject: string): boolean {
  const decoded = decodeAttestationObject(Buffer.from(attestationObject, "base64url"));
  const format = decoded.get("fmt");
  return format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined);
}

/**
 * Creates passkeys (WebAuthn) for this site only. Its host name is the relying party's id. Every response must come
 * from its origin, answer an unused challenge of this server, and say that the user was verified.
 */
export function createPasskeys(database: Database, baseUrl: string) {
  const [rpID, origin] = [new URL(baseUrl).hostname, baseUrl];

  async function createChallenge(purpose: ChallengePurpose): Promise<string> {
    const challenge = randomBytes(32).toString("base64url");
    // Deletes expired challenges here, not only at night, because anyone can request many.
    const isExpired = and(
      lt(verification.expiresAt, new Date()),
      sql`starts_with(${verification.identifier}, ${prefix})`,
    );
    await database.db.delete(verification).where(isExpired);
    await keep(database.db, identifierOf(challenge), JSON.stringify(purpose), challengeLifetime);
    return challenge;
  }

  /** Consumes a response's challenge, even if that is refused later; null unless issued for this purpose. */
  async function takeChallenge(clientDataJSON: string, purpose: ChallengePurpose): Promise<string | null> {
    const challenge = challengeOf(clientDataJSON);
    if (challenge === null) return null;
    const rows = await database.db
      .delete(verification)
      .where(and(isKept(identifierOf(challenge)), eq(verification.value, JSON.stringify(purpose))))
      .returning({ id: verification.id });
    return rows.length > 0 ? challenge : null;
  }

  return {
    /** Returns the options for proving an identity with a passkey. They name no account. */
    async requestOptions(purpose: ChallengePurpose): Promise<RequestOptions> {
      const challenge = await createChallenge(purpose);
      return { challenge, rpId: rpID, timeout: challengeLifetime, userVerification: "required" };
    },

    /** Returns the options from which a browser creates a new passkey. */
    async creationOptions({ userId, email, credentials }: Registration): Promise<CreationOptions> {
      return {
        rp: { name: "Wayfare", id: rpID },
        user: { id: handleOf(userId), name: email, displayName: email },
        challenge: await createChallenge({ for: "register", userId }),
        pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
        timeout: challengeLifetime,
        attestation: "none",
        excludeCredentials: credentials.map((each) => ({ ...each, type: "public-key" })),
        authenticatorSelection: {
          residentKey: "required",
          requireResidentKey: true,
          userVerification: "required",
        },
      };
    },

    /** Reads a new passkey from a browser's response; null if anything about it differs from what was requested. */
    async readNew(response: Attestation, userId: string): Promise<Omit<StoredPasskey, "userId"> | null> {
      const expectedChallenge = await takeChallenge(response.response.clientDataJSON, {
        for: "register",
        userId,
      });
      if (expectedChallenge === null) return null;
      try {
        if (!isWithoutCertificate(response.response.attestationObject)) return null;
        const expected = { expectedChallenge, expectedOrigin: origin, expectedRPID: rpID };
        const read = await verifyRegistrationResponse({
          response: { ...response, ...noExtensions },
          ...expected,
          requireUserVerification: true,
          supportedAlgorithmIDs: algorithms,
        });
        if (!read.verified) return null;
        const { id, publicKey, counter } = read.registrationInfo.credential;
        return { credentialId: id, publicKey: Buffer.from(publicKey).toString("base64url"), counter };
      } catch {
        // The library's errors have messages that repeat parts of the input, so they are dropped.
        return null;
      }
    },

    /** Consumes the challenge and returns the counter of a valid proof; null for an invalid one. */
    async verify(
      response: Assertion,
      credential: StoredPasskey | null,
      purpose: ChallengePurpose,
    ): Promise<number | null> {
      const { clientDataJSON, userHandle } = response.response;
      const expectedChallenge = await takeChallenge(clientDataJSON, purpose);
      if (expectedChallenge === null || credential === null) return null;
      if (userHandle !== handleOf(credential.userId)) return null;
      try {
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response: { ...response, ...noExtensions },
          expectedChallenge,
          expectedOrigin: origin,
          expectedRPID: rpID,
          credential: {
            id: credential.credentialId,
            publicKey: Buffer.from(credential.publicKey, "base64url"),
            counter: credential.counter,
          },
          requireUserVerification: true,
        });
        return verified ? authenticationInfo.newCounter : null;
      } catch {
        return null;
      }
    },

    /** Finds a passkey by its credential id. */
    async find(credentialId: string): Promise<StoredPasskey | null> {
      const { userId, publicKey, counter } = passkey;
      const [row] = await database.db
        .select({ credentialId: passkey.credentialId, userId, publicKey, counter })
        .from(passkey)
        .where(eq(passkey.credentialId, credentialId));
      return row ?? null;
    },
  };
}
