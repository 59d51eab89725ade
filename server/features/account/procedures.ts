import { actorOf, done, setCookies, signedIn, visitor } from "#server/procedures.ts";
import { setDisabled } from "./commands/set-disabled.ts";
import { signOut, signOutDevice, signOutOthers } from "./commands/sign-out.ts";
import { viewerById } from "./queries.ts";
import { sessionsOf } from "./sessions.ts";

export const account = {
  me: visitor.account.me.handler(async ({ context }) => {
    const { services, session } = context;
    const viewer = session && (await viewerById(services.database.db, session.userId, session));
    setCookies(context, [services.identity.hintCookie(viewer?.role ?? null)]);
    return { viewer };
  }),

  signOut: visitor.account.signOut.handler(async ({ context }) => {
    const { services, session, address } = context;
    if (session) await signOut(services, session, address);
    setCookies(context, services.identity.closingCookies());
    return done;
  }),

  devices: signedIn.account.devices.handler(async ({ context: { services, session } }) => {
    return { devices: await sessionsOf(services.database.db, session) };
  }),

  signOutDevice: signedIn.account.signOutDevice.handler(async ({ input, context }) => {
    await signOutDevice(context.services, actorOf(context), input.id);
    return done;
  }),

  signOutOthers: signedIn.account.signOutOthers.handler(async ({ context }) => {
    await signOutOthers(context.services, context.session, context.address);
    return done;
  }),
};

/** An admin's procedures on accounts, under `students` in the contract. */
export const studentAccounts = {
  setDisabled: signedIn.students.setDisabled.handler(async ({ input, context }) => {
    await setDisabled(context.services, actorOf(context), input);
    return done;
  }),
};
