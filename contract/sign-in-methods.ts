import { z } from "zod";
import { done, formText, guarded, id } from "./base.ts";
import { declared } from "./errors.ts";
import { attestation, creationOptions } from "./passkeys.ts";

/** Calls that change how somebody logs in need a recent login. */
const changing = guarded({ who: "signedIn" }).errors(
  declared("auth/requires-recent-login", "failed-precondition"),
);
/**
 * Calls that set up a second factor need a verified address. If the factor is required and the first one, the emailed
 * code must have been entered (`proveMailbox`).
 */
const adding = guarded({ who: "signedIn", secondFactor: "optional" })
  .errors(declared("auth/requires-recent-login", "failed-precondition"))
  .errors(declared("account/mailbox-code", "account/unverified"));
/** Recovery codes are shown once: only their hashes are kept. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** The ways to log in to the asker's own account, beside its password. */
export const signInMethods = {
  /** `authenticator`: null where no app is set up. `recoveryCodes`: how many are left. */
  mine: guarded({ who: "signedIn", reads: true, secondFactor: "optional" }).output(
    z.object({
      /** Whether the account can't do without two-step login. */
      isRequired: z.boolean(),
      /** Before anything else, a factor that is set up must be used in this session (`account.confirmIdentity`). */
      needsConfirmation: z.boolean(),
      /** Before anything can be set up, an emailed code is asked for. */
      needsMailboxCode: z.boolean(),
      authenticator: z.object({ since: z.date(), recoveryCodes: z.number().int() }).nullable(),
      /** The oldest first. `lastUsed`: null until its first use. */
      passkeys: z.array(
        z.object({ id: z.string(), name: z.string(), since: z.date(), lastUsed: z.date().nullable() }),
      ),
    }),
  ),

  /**
   * Emails a code for this session to somebody who must set up a second factor, or to a student, who confirms lists
   * with it. `failed-precondition`: they need none.
   */
  sendMailboxCode: guarded({ who: "signedIn", secondFactor: "optional" })
    .errors(declared("failed-precondition"))
    .output(done),

  /** Takes that code: for half an hour this session has proved its holder's mailbox. */
  proveMailbox: guarded({ who: "signedIn", secondFactor: "optional" })
    .errors(declared("auth/invalid-verification-code"))
    .input(z.object({ code: formText }))
    .output(done),

  /**
   * Offers a key for an authenticator app, for half an hour: as text and as the address that its QR code holds.
   * `failed-precondition` where one is set up already.
   */
  startAuthenticator: adding.output(z.object({ key: z.string(), uri: z.string() })),

  /**
   * Turns the app on: from then on a login needs its code. `auth/invalid-verification-id`: no key is offered any more.
   */
  confirmAuthenticator: adding
    .errors(declared("auth/invalid-verification-code", "auth/invalid-verification-id"))
    .input(z.object({ code: formText }))
    .output(recoveryCodes),

  /** Turns the app off, and its recovery codes with it. */
  removeAuthenticator: changing.output(done),

  /** Makes ten new recovery codes in place of the former ones. `failed-precondition` where no app is set up. */
  renewRecoveryCodes: changing.output(recoveryCodes),

  /** Offers options for a new passkey, for five minutes. `resource-exhausted`: the account has ten. */
  startPasskey: adding.output(creationOptions),

  /** Adds the passkey. `auth/invalid-verification-id`: anything about it is not as it was asked for, or too late. */
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
