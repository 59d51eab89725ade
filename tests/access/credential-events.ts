import { eq } from "drizzle-orm";
import { user } from "#server/features/account/tables.ts";
import { adminCommand } from "#server/features/admin/command-line.ts";
import { authenticatorOf } from "#tests/support/authenticator.ts";
import { AuthenticatorDevice } from "#tests/support/authenticator-device.ts";
import { Caller } from "#tests/support/caller.ts";
import { freshEmail, goodPassword, type Person } from "#tests/support/factories.ts";
import { addPasskey } from "#tests/support/passkeys.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";
import { type Holder, signInWithPasskey, tokenFor } from "./credentials.ts";

export const newPassword = "a quite different phrase";
export const passwords = { password: newPassword, confirmPassword: newPassword };

/** `restart` starts the server with or without the holder in ADMIN_EMAILS. */
type World = {
  w: Wayfare;
  boss: Person;
  restart(holder: Holder, isListed: boolean): Promise<void>;
};

/** An event in an account's life. `undo` reverts it. */
export type AccountEvent = {
  happen(holder: Holder, world: World): Promise<void>;
  undo?(holder: Holder, world: World): Promise<void>;
  /** The procedure that causes it; none for the operator's commands. */
  procedure?: string;
  /** Whether the account has the new password afterwards. */
  setsPassword?: true;
  /** Whether it only exists for an account without a second factor. */
  isFirstFactor?: true;
  /** Whether it only exists for an admin. */
  isAdmins?: true;
};

/** Expects the call to succeed. */
async function done(answer: Promise<{ status: number; message: string | null }>): Promise<void> {
  const { status, message } = await answer;
  if (status !== 200) throw new Error(`answered ${status}: ${message}`);
}

const change = ({ here }: Holder, endsAccess: boolean) =>
  done(here.call("account.changePassword", { currentPassword: goodPassword, ...passwords, endsAccess }));
const set = (w: Wayfare, token: string) =>
  done(new Caller(w.app).call("account.setPassword", { token, ...passwords }));
const disable = ({ id: userId }: Holder, { boss }: World, disabled: boolean) =>
  done(boss.caller.call("students.setDisabled", { userId, disabled }));
const command = ({ w }: World, ...words: Parameters<typeof adminCommand>[1]) =>
  adminCommand(w.services, words, () => {});
export const storeUser = (w: Wayfare, { id }: Holder, values: Partial<typeof user.$inferInsert>) =>
  w.services.database.db.update(user).set(values).where(eq(user.id, id));

/** The columns of the table, by their headings. */
export const events: Record<string, AccountEvent> = {
  "password changed, “end these too”": {
    procedure: "account.changePassword",
    setsPassword: true,
    happen: (holder) => change(holder, true),
  },
  "password changed": {
    procedure: "account.changePassword",
    setsPassword: true,
    happen: (holder) => change(holder, false),
  },
  "reset by link": {
    procedure: "account.setPassword",
    setsPassword: true,
    happen: async ({ id }, { w }) => set(w, await tokenFor(w, { purpose: "reset", userId: id })),
  },
  "reset by link, never verified": {
    procedure: "account.setPassword",
    setsPassword: true,
    async happen(holder, { w }) {
      await storeUser(w, holder, { emailVerified: false });
      await set(w, await tokenFor(w, { purpose: "reset", userId: holder.id }));
    },
  },
  "admin's link": {
    procedure: "account.setPassword",
    setsPassword: true,
    happen: async ({ email }, { w }) => set(w, await tokenFor(w, { purpose: "admin", email })),
  },
  "first factor set up": {
    procedure: "signInMethods.confirmAuthenticator",
    isFirstFactor: true,
    happen: async ({ here }) => void (await authenticatorOf({ caller: here })),
  },
  "further factor added": {
    procedure: "signInMethods.addPasskey",
    happen: ({ here }, { w }) => done(addPasskey(here, new AuthenticatorDevice(w.environment.baseUrl))),
  },
  "logged out": {
    procedure: "account.signOut",
    happen: ({ here }) => done(here.call("account.signOut")),
  },
  "log out other devices": {
    procedure: "account.signOutOthers",
    happen: ({ here }) => done(here.call("account.signOutOthers")),
  },
  revoked: {
    procedure: "agents.revoke",
    happen: ({ id }, { boss }) => done(boss.caller.call("agents.revoke", { id })),
    undo: ({ id }, { boss }) => done(boss.caller.call("agents.approve", { id })),
  },
  denied: {
    procedure: "agents.deny",
    async happen(holder, { w, boss }) {
      await storeUser(w, holder, { status: "pending", approvedAt: null });
      await done(boss.caller.call("agents.deny", { id: holder.id }));
    },
  },
  disabled: {
    procedure: "students.setDisabled",
    happen: (holder, world) => disable(holder, world, true),
    undo: (holder, world) => disable(holder, world, false),
  },
  "deletion asked for": {
    procedure: "account.requestDeletion",
    happen: ({ here }) => done(here.call("account.requestDeletion")),
    undo: ({ older }, { w }) => done(signInWithPasskey(w, older)),
  },
  "logged out by an admin": {
    procedure: "accounts.signOut",
    happen: ({ id: userId }, { boss }) => done(boss.caller.call("accounts.signOut", { userId })),
  },
  "logged out by an admin, keys too": {
    procedure: "accounts.signOut",
    happen: ({ id: userId }, { boss }) =>
      done(boss.caller.call("accounts.signOut", { userId, withKeys: true })),
  },
  "`admin log-out`": {
    happen: ({ email }, world) => command(world, "log-out", email),
  },
  "second factor reset by an admin": {
    procedure: "accounts.resetSecondFactor",
    happen: ({ id: userId }, { boss }) =>
      done(boss.caller.call("accounts.resetSecondFactor", { userId, reason: "A lost phone" })),
  },
  "address changed": {
    procedure: "account.verifyEmail",
    async happen({ id, here, email: from }, { w }) {
      const email = freshEmail("moved");
      await done(here.call("profile.changeEmail", { email, password: goodPassword }));
      await w.mail(email, /confirm your new email/);
      const token = await tokenFor(w, { purpose: "email", userId: id, email, from });
      await done(here.call("account.verifyEmail", { token }));
    },
  },
  "address off `ADMIN_EMAILS`": {
    isAdmins: true,
    happen: (holder, { restart }) => restart(holder, false),
    undo: (holder, { restart }) => restart(holder, true),
  },
  "`admin remove-second-factor`": {
    happen: ({ email }, world) => command(world, "remove-second-factor", email),
  },
  "`admin log-out --keys`": {
    happen: ({ email }, world) => command(world, "log-out", email, "--keys"),
  },
  "`admin change-email`": {
    happen: ({ email }, world) => command(world, "change-email", email, freshEmail("moved")),
  },
  "one device logged out": {
    procedure: "account.signOutDevice",
    async happen({ here }) {
      const { devices } = await here.api.account.devices();
      for (const { id, current } of devices)
        if (!current) await done(here.call("account.signOutDevice", { id }));
    },
  },
  "app turned off": {
    procedure: "signInMethods.removeAuthenticator",
    happen: ({ here }) => done(here.call("signInMethods.removeAuthenticator")),
  },
  "recovery codes renewed": {
    procedure: "signInMethods.renewRecoveryCodes",
    happen: ({ here }) => done(here.call("signInMethods.renewRecoveryCodes")),
  },
  "passkeys removed": {
    procedure: "signInMethods.removePasskey",
    async happen({ here }) {
      const { passkeys } = await here.api.signInMethods.mine();
      for (const { id } of passkeys) await done(here.call("signInMethods.removePasskey", { id }));
    },
  },
  "API key revoked": {
    procedure: "apiKeys.revoke",
    async happen({ here }) {
      const { keys } = await here.api.apiKeys.list();
      for (const { id } of keys) await done(here.call("apiKeys.revoke", { id }));
    },
  },
  "webhook paused": {
    procedure: "webhooks.pause",
    happen: ({ here, webhookId: id }) => done(here.call("webhooks.pause", { id })),
    undo: ({ here, webhookId: id }) => done(here.call("webhooks.resume", { id })),
  },
  "webhook removed": {
    procedure: "webhooks.remove",
    happen: ({ here, webhookId: id }) => done(here.call("webhooks.remove", { id })),
  },
};

/** The other writing procedures that concern accounts and credentials. They end no credential. */
export const endNothing: readonly string[] = [
  "account.me",
  "account.signUp",
  "account.signIn",
  "account.signInWithPasskey",
  "account.passkeyChallenge",
  "account.confirmIdentity",
  "account.confirmationChallenge",
  "account.confirmWithPasskey",
  "account.requestPasswordReset",
  "account.passwordLink",
  "account.resendVerification",
  "account.dataLink",
  "signInMethods.sendMailboxCode",
  "signInMethods.proveMailbox",
  "signInMethods.startAuthenticator",
  "signInMethods.startPasskey",
  "signInMethods.renamePasskey",
  "apiKeys.create",
  "webhooks.add",
  "webhooks.change",
  "webhooks.resume",
  "webhooks.rotateSecret",
  "webhooks.sendTest",
  "webhooks.sendAgain",
  "accounts.editDetails",
  "agents.approve",
  "agents.resendVerification",
  "agents.liftDenial",
  "agents.decideChange",
];
