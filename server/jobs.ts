import { z } from "zod";
import { checkStore } from "#server/backup/check-files.ts";
import { checkAudit } from "#server/features/admin/check-audit.ts";
import { releaseOverdueStudents } from "#server/features/assignments/commands/move-students.ts";
import { logHeads } from "#server/features/auctions/history/log.ts";
import { tidyPictures } from "#server/features/auctions/pictures/tidy-pictures.ts";
import { recordMissingSales } from "#server/features/auctions/sales/due-sales.ts";
import { tidyDrafts } from "#server/features/auctions/selling/drafts.ts";
import { startWatchingJobs, tidyWatching } from "#server/features/auctions/watching/work.ts";
import { trimAuditLog } from "#server/features/audit/nightly.ts";
import { bulkRunQueue, carryOutRun, tidyBulkRuns } from "#server/features/bulk-runs/carry-out.ts";
import { removeUnsentFiles } from "#server/features/conversations/commands/files.ts";
import { removeOrphans } from "#server/features/files/tidy-files.ts";
import { mailKinds } from "#server/features/index.ts";
import { tidyInvitations } from "#server/features/invitations/commands.ts";
import { pushQueue, sendPush } from "#server/features/notifications/pushes.ts";
import { deliver } from "#server/features/notifications/webhooks/deliver.ts";
import { deliveryQueue, tidyWebhooks } from "#server/features/notifications/webhooks/delivery-queue.ts";
import { renewOfferDeadlines } from "#server/features/offers/deadlines.ts";
import { notifyOfOverdueOffers, overdueQueue } from "#server/features/offers/overdue.ts";
import { reminderQueue, sendReminders } from "#server/features/planner/reminders.ts";
import { renewDeadlines } from "#server/features/planner/settings.ts";
import { eraseDueAccounts } from "#server/features/privacy/erase-account.ts";
import { carryOutRetention } from "#server/features/privacy/retention/carry-out.ts";
import { refreshCatalogue } from "#server/features/programmes/nightly.ts";
import { removeUnusedRequirements } from "#server/features/programmes/unused-requirements.ts";
import { tidySubscriptions } from "#server/features/push/commands.ts";
import { removeKeptAnswers } from "#server/features/repeated-calls/kept-answers.ts";
import { tidyUp } from "#server/features/sessions/tidy-up.ts";
import { tidyExports } from "#server/features/students/export-students.ts";
import { tidyReports } from "#server/features/trade-reports/commands.ts";
import { type Queue } from "#server/platform/jobs.ts";
import { mailQueue } from "#server/platform/mail-queue.ts";
import type { Services } from "./services.ts";

/** Starts the background work: the queues, and what is scheduled for every minute or night. */
export async function workJobs(services: Services): Promise<void> {
  await workMails(services);
  await workWebhooks(services);
  await workPushes(services);
  await workBulkRuns(services);
  await workOverdueOffers(services);
  await workReminders(services);
  await startWatchingJobs(services);
  await workTidyUp(services);
}

async function workMails(services: Services): Promise<void> {
  const kinds = new Map<string, (typeof mailKinds)[number]>(mailKinds.map((kind) => [kind.name, kind]));
  await services.jobs.define(mailQueue);
  await services.jobs.work(mailQueue, async ({ mail, data }, id) => {
    const kind = kinds.get(mail);
    if (!kind) throw new Error(`there is no mail ${mail}`);
    const message = await kind.write(services, data);
    if (message) await services.mailer.send(id, message);
  });
}

async function workWebhooks(services: Services): Promise<void> {
  await services.jobs.define(deliveryQueue);
  await services.jobs.work(deliveryQueue, (attempt, _id, isLast) => deliver(services, attempt, isLast));
}

async function workPushes(services: Services): Promise<void> {
  await services.jobs.define(pushQueue);
  await services.jobs.work(pushQueue, (push, _id, isLast) => sendPush(services, push, isLast));
}

async function workBulkRuns(services: Services): Promise<void> {
  await services.jobs.define(bulkRunQueue);
  await services.jobs.work(bulkRunQueue, ({ run }) => carryOutRun(services, run));
}

async function workOverdueOffers(services: Services): Promise<void> {
  await services.jobs.define(overdueQueue);
  await services.jobs.work(overdueQueue, () => notifyOfOverdueOffers(services));
  await services.jobs.plan(overdueQueue, "* * * * *");
}

async function workReminders(services: Services): Promise<void> {
  await services.jobs.define(reminderQueue);
  await services.jobs.work(reminderQueue, async () => void (await sendReminders(services)));
  await services.jobs.plan(reminderQueue, "* * * * *");
}

/** Runs every night at 3:23 UTC. */
const tidyUpQueue: Queue<null> = { name: "tidy-up", payload: z.null(), timeout: 4 * 60 * 60 };

async function workTidyUp(services: Services): Promise<void> {
  await services.jobs.define(tidyUpQueue);
  await services.jobs.work(tidyUpQueue, async () => {
    await logHeads(services);
    await eraseDueAccounts(services);
    await carryOutRetention(services);
    await releaseOverdueStudents(services);
    await tidyInvitations(services);
    await renewDeadlines(services);
    await renewOfferDeadlines(services);
    await refreshCatalogue(services);
    await removeUnusedRequirements(services);
    await tidyUp(services);
    await tidyBulkRuns(services);
    await recordMissingSales(services);
    await tidyExports(services);
    await removeKeptAnswers(services.database);
    await services.secondFactors.renew(services.database.db);
    await tidyWebhooks(services);
    await tidySubscriptions(services);
    await tidyWatching(services);
    await checkAudit(services);
    await trimAuditLog(services);
    // The store comes last, so that its failure keeps nothing else from being done.
    await removeUnsentFiles(services);
    await removeOrphans(services);
    await tidyDrafts(services);
    await tidyReports(services);
    await tidyPictures(services);
    await checkStore(services);
  });
  await services.jobs.plan(tidyUpQueue, "23 3 * * *");
}
