import { setCookies, visitor } from "#server/procedures.ts";
import { viewerById } from "./queries.ts";

export const account = {
  me: visitor.account.me.handler(async ({ context }) => {
    const { services, session } = context;
    const viewer = session && (await viewerById(services.database.db, session.userId, session));
    setCookies(context, [services.signedCookies.hintCookie(viewer?.role ?? null)]);
    return { viewer };
  }),
};
