import { z } from "zod";
import { limits, roles, statuses } from "#domain/account.ts";
import { tieKinds } from "#domain/deletion.ts";
import { done, formText, guarded, id, open, text } from "./base.ts";
import { declared } from "./errors.ts";
import { assertion, requestOptions } from "./passkeys.ts";

/** The path on this site that the emailed link continues to. Any other value is dropped. */
const next = text(limits.next).optional();

const viewer = z.object({
  id: z.string(),
  role: z.enum(roles),
  status: z.enum(statuses),
  email: z.string(),
  emailVerified: z.boolean(),
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string(),
  agency: z.string(),
  /** While this is true, the user may only set up two-step login, or use it if it is set up. */
  lacksSecondFactor: z.boolean(),
});
export type Viewer = z.infer<typeof viewer>;
/** `isKept`: the account was to be deleted, and the login has cancelled that. */
const loggedIn = viewer.extend({ isKept: z.boolean() });

const count = z.number().int();
const factors = { authenticator: z.boolean(), passkeys: count };

const weakOrIncomplete = declared("form/incomplete", "auth/weak-password");

/** Reasons to refuse a login, by password or passkey. */
const refusedLogin = declared(
  "auth/invalid-credential",
  "auth/too-many-requests",
  "auth/user-disabled",
  "account/denied",
  "account/revoked",
  "account/invalid-role",
  "not-found",
);

export const account = {
  /** The caller, or null for a visitor. */
  me: open.output(z.object({ viewer: viewer.nullable() })),

  /** Creates the account and signs it in. Anything else in the input is dropped. */
  signUp: open
    .errors(weakOrIncomplete)
    .errors(declared("auth/invalid-email", "auth/email-already-in-use", "auth/too-many-requests"))
    .input(
      z.object({
        role: formText,
        firstName: formText,
        lastName: formText,
        email: formText,
        phone: formText,
        agency: formText,
        country: formText,
        password: formText,
        confirmPassword: formText,
        next,
      }),
    )
    .output(viewer),

  /** `code` is from the authenticator app, or a recovery code, if the account has an app. */
  signIn: open
    .errors(refusedLogin)
    .errors(declared("form/incomplete", "auth/invalid-email"))
    .errors(declared("account/second-factor", "account/passkey", "auth/invalid-verification-code"))
    .input(z.object({ email: formText, password: formText, code: formText }))
    .output(loggedIn),

  signOut: open.output(done),

  /** Sessions of the account, last used first. The time of the last use is up to an hour old. */
  devices: guarded({ who: "signedIn", reads: true }).output(
    z.object({
      devices: z.array(
        z.object({
          id: z.string(),
          /** "Chrome on Android", for example. Null if unknown, like the network address. */
          browser: z.string().nullable(),
          address: z.string().nullable(),
          since: z.date(),
          lastUsed: z.date(),
          /** Whether this is the caller's session. */
          current: z.boolean(),
        }),
      ),
    }),
  ),

  /** Logs one session out; does nothing if it is logged out already. */
  signOutDevice: guarded({ who: "signedIn" }).input(z.object({ id })).output(done),

  /** Logs out all sessions except the caller's. */
  signOutOthers: guarded({ who: "signedIn" }).output(done),

  /**
   * Creates a link to a zip of all data about the caller. It works for five minutes, in this session; `files` and
   * `bytes` count the files in it. A few are allowed per day.
   */
  dataLink: guarded({ who: "signedIn" })
    .errors(declared("auth/requires-recent-login"))
    .output(
      z.object({ url: z.string(), expiresAt: z.date(), files: z.number().int(), bytes: z.number().int() }),
    ),

  /**
   * Requests the deletion of the caller's account: it is immediately out of use and logged out, and erased at `dueAt`
   * unless the user logs in before. `ties`: sales, own items and bids that keep it for longer than the usual days, the
   * last to end first. `failed-precondition`: an admin's account, which is removed by way of the configuration.
   */
  requestDeletion: guarded({ who: "signedIn" })
    .errors(declared("failed-precondition", "auth/requires-recent-login"))
    .output(
      z.object({
        dueAt: z.date(),
        ties: z.array(z.object({ product: z.string(), kind: z.enum(tieKinds), until: z.date() })),
      }),
    ),

  /**
   * Proves the user's identity again, with the credentials of a login: calls that were refused with
   * `auth/requires-recent-login` are allowed for the next fifteen minutes, in this session.
   */
  confirmIdentity: guarded({ who: "signedIn", secondFactor: "optional" })
    .errors(declared("form/incomplete", "auth/wrong-password", "auth/too-many-requests"))
    .errors(declared("account/second-factor", "account/passkey", "auth/invalid-verification-code"))
    .input(z.object({ password: formText, code: formText }))
    .output(done),

  /** A challenge for one login with any passkey. */
  passkeyChallenge: open.errors(declared("auth/too-many-requests")).output(requestOptions),

  /** Logs in with a passkey, which counts as two factors. `auth/invalid-credential`: anything about it is invalid. */
  signInWithPasskey: open
    .errors(refusedLogin)
    .input(z.object({ passkey: assertion }))
    .output(loggedIn),

  /** A challenge for `confirmWithPasskey`, with a passkey of the account that is logged in. */
  confirmationChallenge: guarded({ who: "signedIn", secondFactor: "optional" })
    .errors(declared("auth/too-many-requests"))
    .output(requestOptions),

  /** Proves the user's identity again, as `confirmIdentity` does, with a passkey of their account. */
  confirmWithPasskey: guarded({ who: "signedIn", secondFactor: "optional" })
    .errors(declared("auth/invalid-credential", "auth/too-many-requests"))
    .input(z.object({ passkey: assertion }))
    .output(done),

  /** Returns the same whether or not the address has an account. */
  requestPasswordReset: open
    .errors(declared("auth/invalid-email", "auth/too-many-requests"))
    .input(z.object({ email: formText, next }))
    .output(done),

  /**
   * The purpose of an emailed or printed link, the minimum length of the password that it sets, and, if a second factor
   * is required, the key for an authenticator app: as text and as the address in its QR code.
   */
  passwordLink: open
    .errors(declared("auth/invalid-action-code", "auth/too-many-requests"))
    .input(z.object({ token: text(limits.token) }))
    .output(
      z.object({
        purpose: z.enum(["reset", "admin"]),
        minLength: z.number().int(),
        secondFactor: z.object({ key: z.string(), uri: z.string() }).nullable(),
      }),
    ),

  /**
   * Sets the new password and ends what others may have put on the account: every session, API key and webhook, the
   * calendar's address, and factors of the last 7 days, or all factors if its address was never verified or the link
   * makes an admin. Cancels a requested deletion. The link works once.
   */
  setPassword: open
    .errors(weakOrIncomplete)
    .errors(declared("auth/invalid-action-code", "auth/too-many-requests", "auth/invalid-verification-code"))
    .input(
      z.object({ token: text(limits.token), password: formText, confirmPassword: formText, code: formText }),
    )
    .output(
      z.object({
        ended: z.object({
          ...factors,
          apiKeys: count,
          webhooks: count,
          calendar: z.boolean(),
          deletion: z.boolean(),
        }),
        remaining: z.object(factors),
      }),
    ),

  /**
   * Sets another password and ends every other session of the account; with `endsAccess` its passkeys, API keys,
   * webhooks and the calendar's address too. The current password is the proof; an account with a second factor needs
   * a recent login as well.
   */
  changePassword: guarded({ who: "signedIn" })
    .errors(weakOrIncomplete)
    .errors(declared("auth/wrong-password", "auth/too-many-requests", "auth/requires-recent-login"))
    .errors(declared("failed-precondition"))
    .input(
      z.object({
        currentPassword: formText,
        password: formText,
        confirmPassword: formText,
        endsAccess: z.boolean().default(true),
      }),
    )
    .output(done),

  /**
   * Confirms the account's address, or the new one that it asked for (`profile.changeEmail`): in a session of that
   * account, or with its password and the code that a login requires. `form/incomplete`: neither was sent. `isNew`: the
   * account's address has changed to `email`.
   */
  verifyEmail: open
    .errors(declared("auth/invalid-action-code", "auth/too-many-requests", "auth/email-already-in-use"))
    .errors(declared("form/incomplete", "auth/wrong-password"))
    .errors(declared("account/second-factor", "account/passkey", "auth/invalid-verification-code"))
    .input(z.object({ token: text(limits.token), password: formText, code: formText }))
    .output(z.object({ email: z.string(), isNew: z.boolean() })),

  /** Emails the verification link again; does nothing if the address is verified already. */
  resendVerification: guarded({ who: "signedIn", secondFactor: "optional" })
    .errors(declared("auth/too-many-requests"))
    .input(z.object({ next }))
    .output(done),
};
