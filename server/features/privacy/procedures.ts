import { requireAllowance } from "#server/features/account/allowance.ts";
import { ownDataPath } from "#server/features/documents/links.ts";
import { requireRecentLogin } from "#server/features/sessions/recent-login.ts";
import { writeCursor } from "#server/platform/keyset-list.ts";
import { actorOf, cursorOf, inTurn, setCookies, signedIn } from "#server/procedures.ts";
import { ownFiles } from "./own-data.ts";
import { requestDeletion } from "./request-deletion.ts";
import { entryCursor, listEntries, listRules } from "./retention/rules.ts";

/** Procedures under `account` in the contract for people's own data. */
export const ownData = {
  requestDeletion: signedIn.account.requestDeletion.handler(async ({ context }) => {
    requireRecentLogin(context.session);
    const erasure = await requestDeletion(context.services, actorOf(context));
    setCookies(context, context.services.signedCookies.closingCookies());
    return erasure;
  }),

  dataLink: signedIn.account.dataLink.handler(async ({ context: { services, session } }) => {
    requireRecentLogin(session);
    requireAllowance(
      await services.limits.dataDownload.left(session.userId),
      "resource-exhausted",
      "You've downloaded your data several times today. Please try again tomorrow.",
    );
    const { files } = await ownFiles(services, session.userId);
    const link = services.fileLinks.make({ path: ownDataPath, mode: "download", sessionId: session.id });
    return { ...link, files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
  }),
};

export const retention = {
  rules: signedIn.retention.rules.handler(async ({ context }) => {
    const { database, environment } = context.services;
    return { rules: await inTurn(context, () => listRules(database.searchDb, environment)) };
  }),

  list: signedIn.retention.list.handler(async ({ input: { rule, cursor, limit }, context }) => {
    const { database, environment } = context.services;
    const from = cursorOf(cursor, entryCursor);
    const { entries, next } = await inTurn(context, () =>
      listEntries(database.searchDb, environment, { rule, from, limit }),
    );
    return { entries, next: next && writeCursor(next) };
  }),
};
