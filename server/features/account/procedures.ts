import { actorOf, done, setCookies, signedIn, visitor } from "#server/procedures.ts";
import { setDisabled } from "./commands/set-disabled.ts";
import { viewerById } from "./queries.ts";

export const account = {
  me: visitor.account.me.handler(async ({ context }) => {
    const { services, session } = context;
    const viewer = session && (await viewerById(services.database.db, session.userId, session));
    setCookies(context, [services.identity.hintCookie(viewer?.role ?? null)]);
    return { viewer };
  }),
};

/** An admin's procedures on accounts, under `students` in the contract. */
export const studentAccounts = {
  setDisabled: signedIn.students.setDisabled.handler(async ({ input, context }) => {
    await setDisabled(context.services, actorOf(context), input);
    return done;
  }),
};
