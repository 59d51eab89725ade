import { actorOf, done, setCookies, signedIn, visitor } from "#server/procedures.ts";
import { signOut, signOutDevice, signOutOthers } from "./commands.ts";
import { sessionsOf } from "./open-sessions.ts";

/** Procedures under `account` in the contract that list and end sessions. */
export const sessionProcedures = {
  signOut: visitor.account.signOut.handler(async ({ context }) => {
    const { services, session, address } = context;
    if (session) await signOut(services, session, address);
    setCookies(context, services.signedCookies.closingCookies());
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
