import { activeAdmins } from "#server/features/account/queries.ts";
import { checkAuditLog } from "#server/features/audit/nightly.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import type { Services } from "#server/services.ts";

/** Checks the audit log; runs every night. Notifies admins of each problem once, however many nights find it. */
export async function checkAudit(services: Services): Promise<void> {
  const problem = await checkAuditLog(services);
  if (problem === null) return;
  await services.database.transaction(async (tx) => {
    const notifications = (await activeAdmins(tx)).map(
      (userId): NewNotification => ({
        userId,
        kind: "auditBroken",
        eventKey: `audit-broken:${problem}`,
        about: { problem },
        ids: {},
        path: "/admin/audit",
      }),
    );
    await notify(services, tx, ...notifications);
  });
}
