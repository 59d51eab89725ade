/** What happened to how an account is logged in to. Its holder is emailed about each, and can't switch that off. */
export const securityEvents = [
  "new-device",
  "password-set",
  "password-changed",
  "second-factor-on",
  "second-factor-off",
  "recovery-codes-renewed",
  "recovery-code-used",
  "passkey-added",
  "passkey-removed",
  "api-key-created",
  "webhook-added",
  "webhook-changed",
] as const;
export type SecurityEvent = (typeof securityEvents)[number];

/** Subject and sentence of the email about each. */
export const securityWords: Record<SecurityEvent, { subject: string; sentence: string }> = {
  "new-device": {
    subject: "New login to your account",
    sentence: "Someone just logged in to your Wayfare account from a browser we haven't seen you use before.",
  },
  "password-set": {
    subject: "Your password was set",
    sentence:
      "A password was set for your Wayfare account through a link we emailed you. All devices were logged out.",
  },
  "password-changed": {
    subject: "Your password was changed",
    sentence: "The password of your Wayfare account was changed. All other devices were logged out.",
  },
  "second-factor-on": {
    subject: "Authenticator app turned on",
    sentence:
      "An authenticator app was set up for your Wayfare account. Logging in now takes a code from it.",
  },
  "second-factor-off": {
    subject: "Authenticator app turned off",
    sentence:
      "The authenticator app of your Wayfare account was turned off. Logging in takes no code any more.",
  },
  "recovery-codes-renewed": {
    subject: "You have new recovery codes",
    sentence: "New recovery codes were made for your Wayfare account. The ones you had no longer work.",
  },
  "recovery-code-used": {
    subject: "A recovery code was used",
    sentence:
      "A recovery code was used to log in to your Wayfare account. It won't work again, so make new ones before you run out.",
  },
  "passkey-added": {
    subject: "A passkey was added",
    sentence: "A passkey was added to your Wayfare account. It can be used to log in.",
  },
  "passkey-removed": {
    subject: "A passkey was removed",
    sentence: "A passkey was removed from your Wayfare account. It can't be used to log in any more.",
  },
  "api-key-created": {
    subject: "An API key was created",
    sentence:
      "An API key was created for your Wayfare account. Programs that have it can act as you, within what it allows. A new password set through the emailed link revokes it.",
  },
  "webhook-added": {
    subject: "A webhook was added",
    sentence:
      "A webhook was added to your Wayfare account. It sends what you're notified of to another server; you can remove it under Webhooks in your account menu.",
  },
  "webhook-changed": {
    subject: "A webhook was changed",
    sentence:
      "A webhook of your Wayfare account has a new address. It sends what you're notified of there; you can change or remove it under Webhooks in your account menu.",
  },
};
