import { z } from "zod";
import { done, formText, guarded, id } from "./base.ts";
import { declared } from "./errors.ts";
import { attestation, creationOptions } from "./passkeys.ts";

/** Calls that change how a user logs in need a recent login. */
const changing = guarded({ who: "signedIn" }).errors(
  declared("auth/requires-recent-login", "failed-precondition"),
);
/**
 * Calls that set up a second factor need a verified address. If it is required and the first one, the emailed code must
 * have been entered (`proveMailbox`).
 */
const adding = guarded({ who: "signedIn", secondFactor: "optional" })
  .errors(declared("auth/requires-recent-login", "failed-precondition"))
  .errors(declared("account/mailbox-code", "account/unverified"));
/** Recovery codes are shown once, since only their hashes are stored. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** The ways to log in to the caller's own account, besides its password. */
export const signInMethods = {
  /** `authenticator`: null if no app is set up. `recoveryCodes`: how many are left. */
  mine: guarded({ who: "signedIn", reads: true, secondFactor: "optional" }).output(
    z.object({
      /** Whether the account must have two-step login. */
      isRequired: z.boolean(),
      /** Whether an existing factor must first be used in this session (`account.confirmIdentity`). */
      needsConfirmation: z.boolean(),
      /** Whether an emailed code must be entered before anything can be set up. */
      needsMailboxCode: z.boolean(),
      authenticator: z.object({ since: z.date(), recoveryCodes: z.number().int() }).nullable(),
      /** The oldest first. `lastUsed`: null until its first use. */
      passkeys: z.array(
        z.object({ id: z.string(), name: z.string(), since: z.date(), lastUsed: z.date().nullable() }),
      ),
    }),
  ),

  /**
   * Emails a code for this session to a user who must set up a second factor, or to a student, who confirms lists with
   * it. `failed-precondition`: they need none.
   */
  sendMailboxCode: guarded({ who: "signedIn", secondFactor: "optional" })
    .errors(declared("failed-precondition"))
    .output(done),

  /** Checks that code, which proves the user's mailbox in this session for half an hour. */
  proveMailbox: guarded({ who: "signedIn", secondFactor: "optional" })
    .errors(declared("auth/invalid-verification-code"))
    .input(z.object({ code: formText }))
    .output(done),

  /**
   * Offers a key for an authenticator app, for half an hour: as text and as the address in its QR code.
   * `failed-precondition`: an app is set up already.
   */
  startAuthenticator: adding.output(z.object({ key: z.string(), uri: z.string() })),

  /** Turns the app on: from then on a login needs its code. `auth/invalid-verification-id`: the key has expired. */
  confirmAuthenticator: adding
    .errors(declared("auth/invalid-verification-code", "auth/invalid-verification-id"))
    .input(z.object({ code: formText }))
    .output(recoveryCodes),

  /** Turns the app off, and its recovery codes with it. */
  removeAuthenticator: changing.output(done),

  /** Replaces the recovery codes with ten new ones. `failed-precondition`: no app is set up. */
  renewRecoveryCodes: changing.output(recoveryCodes),

  /** Offers options for a new passkey, for five minutes. `resource-exhausted`: the account has ten. */
  startPasskey: adding.output(creationOptions),

  /** Adds the passkey. `auth/invalid-verification-id`: it doesn't match what was requested, or comes too late. */
  addPasskey: adding
    .errors(declared("auth/invalid-verification-id", "already-exists"))
    .input(z.object({ passkey: attestation }))
    .output(done),

  renamePasskey: guarded({ who: "signedIn" })
    .errors(declared("form/incomplete", "not-found"))
    .input(z.object({ id, name: formText }))
    .output(done),

  removePasskey: changing.errors(declared("not-found")).input(z.object({ id })).output(done),
};
