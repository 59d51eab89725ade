import { cursorForm, cursorTime, writeCursor } from "#server/platform/cursor.ts";
import { admin, cursorOf, inTurn } from "#server/procedures.ts";
import { listAccounts } from "./accounts.ts";
import { auditCursorId, auditCursorTime, auditQuery, listAudit } from "./audit-log.ts";

export const auditLog = {
  list: admin.audit.list.handler(async ({ input: { cursor, ...filter }, context }) => {
    const { searchDb } = context.services.database;
    const from = cursorOf(cursor, cursorForm(auditCursorTime, auditCursorId));
    const { entries, next } = await inTurn(context, async () =>
      listAudit(searchDb, await auditQuery(searchDb, filter), from),
    );
    return { entries, next: next && writeCursor(next.key, next.id) };
  }),
};

export const accounts = {
  list: admin.accounts.list.handler(async ({ input, context }) => {
    const query = { ...input, cursor: cursorOf(input.cursor, cursorForm(cursorTime)) };
    const { accounts: rows, next } = await listAccounts(context.services.database, query, (search) =>
      inTurn(context, search),
    );
    return { accounts: rows, next: next && writeCursor(next.key, next.id) };
  }),
};
