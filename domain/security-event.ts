import { youngFactorDays } from "./second-factor.ts";

/** Events around the login of an account. The user is emailed about each, and can't switch that off. */
export const securityEvents = [
  "new-device",
  "wrong-codes",
  "password-set",
  "password-changed",
  "email-change-asked",
  "second-factor-on",
  "second-factor-off",
  "second-factor-reset",
  "recovery-codes-renewed",
  "recovery-code-used",
  "passkey-added",
  "passkey-removed",
  "api-key-created",
  "webhook-added",
  "webhook-changed",
] as const;
export type SecurityEvent = (typeof securityEvents)[number];

/** Placeholder in an advice for support's email address. */
export const supportMark = "{support}";

const reset = "set a new password right away with the link below";
const resetEnds = `${reset}: that logs out all devices and ends API keys, webhooks and the calendar's address.`;
const resetRemoves = `${reset}: within ${youngFactorDays} days that removes it too.`;
const resetCodes = `${reset} and log in. Then make new recovery codes under Login and security, or turn the app on again if it was removed.`;

/** The email about each event: its subject, what happened, and what to do if it was somebody else. */
export const securityWords: Record<SecurityEvent, { subject: string; sentence: string; advice: string }> = {
  "new-device": {
    subject: "New login to your account",
    sentence: "Someone just logged in to your Wayfare account from a browser we haven't seen you use before.",
    advice: resetEnds,
  },
  "wrong-codes": {
    subject: "Someone knows your password",
    sentence:
      "Someone entered the right password of your Wayfare account, and then several wrong codes for two-step login. They didn't get in.",
    advice: `${reset}: theirs then no longer works.`,
  },
  "password-set": {
    subject: "Your password was set",
    sentence:
      "A password was set for your Wayfare account through a link we emailed you. All devices were logged out.",
    advice: `someone else reads your email. Change the password of your mailbox first, then ${resetEnds}`,
  },
  "password-changed": {
    subject: "Your password was changed",
    sentence: "The password of your Wayfare account was changed. All other devices were logged out.",
    advice: resetEnds,
  },
  "email-change-asked": {
    subject: "Someone asked to change your email address",
    sentence:
      "Someone asked to move your Wayfare account to another email address. Your present one stays in use until the link that we emailed to the new one is opened.",
    advice: `${reset}: that cancels the change and logs out all devices.`,
  },
  "second-factor-on": {
    subject: "Authenticator app turned on",
    sentence:
      "An authenticator app was set up for your Wayfare account. Logging in now takes a code from it.",
    advice: `${resetRemoves} After that only we can remove it: write to ${supportMark}.`,
  },
  "second-factor-off": {
    subject: "Authenticator app turned off",
    sentence:
      "The authenticator app of your Wayfare account was turned off. Logging in takes no code any more.",
    advice: `${resetEnds} Then turn the app on again under Login and security.`,
  },
  "second-factor-reset": {
    subject: "Your two-step login was reset",
    sentence:
      "Our team removed the authenticator app, the recovery codes and the passkeys from your Wayfare account. All devices were logged out, and API keys and the calendar's address ended. Logging in takes your password alone until you set up two-step login again under Login and security.",
    advice: `${resetEnds} Then write to ${supportMark}: somebody else may have asked us for it.`,
  },
  "recovery-codes-renewed": {
    subject: "You have new recovery codes",
    sentence: "New recovery codes were made for your Wayfare account. The ones you had no longer work.",
    advice: `${resetCodes} If you can't log in, write to ${supportMark}.`,
  },
  "recovery-code-used": {
    subject: "A recovery code was used",
    sentence:
      "A recovery code was used to log in to your Wayfare account. It won't work again, so make new ones before you run out.",
    advice: resetCodes,
  },
  "passkey-added": {
    subject: "A passkey was added",
    sentence: "A passkey was added to your Wayfare account. It can be used to log in.",
    advice: `${resetRemoves} After that, remove it yourself under Login and security.`,
  },
  "passkey-removed": {
    subject: "A passkey was removed",
    sentence: "A passkey was removed from your Wayfare account. It can't be used to log in any more.",
    advice: resetEnds,
  },
  "api-key-created": {
    subject: "An API key was created",
    sentence:
      "An API key was created for your Wayfare account. Programs that have it can act as you, within what it allows.",
    advice: `${reset}: that ends the key too.`,
  },
  "webhook-added": {
    subject: "A webhook was added",
    sentence:
      "A webhook was added to your Wayfare account. It sends what you're notified of to another server; you can remove it under Webhooks in your account menu.",
    advice: `${reset}: that ends the webhook too.`,
  },
  "webhook-changed": {
    subject: "A webhook was changed",
    sentence:
      "A webhook of your Wayfare account has a new address. It sends what you're notified of there; you can change or remove it under Webhooks in your account menu.",
    advice: `${reset}: that ends the webhook too.`,
  },
};
