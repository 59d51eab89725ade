import type { AccountEvents } from "#server/features/account/events.ts";
import { createLimits } from "#server/features/account/limits.ts";
import { notifyOfApplicant } from "#server/features/agents/applicants.ts";
import { createApiKeySessions } from "#server/features/api-keys/api-key-sessions.ts";
import { releaseStudentsOfLost } from "#server/features/assignments/commands/move-students.ts";
import { BidQueues } from "#server/features/auctions/bidding/bid-queues.ts";
import { OutbidNotifier } from "#server/features/auctions/bidding/outbid.ts";
import { OwnBids } from "#server/features/auctions/bidding/own-bids.ts";
import {
  createItemsOnSale,
  createOpenCounts,
  createSharedLists,
} from "#server/features/auctions/catalogue/list-products.ts";
import { endAccountsAuctions, refreshBidPages } from "#server/features/auctions/catalogue/lost-accounts.ts";
import { ProductStates } from "#server/features/auctions/catalogue/product-states.ts";
import { createReceiptSigner } from "#server/features/auctions/history/receipts.ts";
import { PictureMaker } from "#server/features/auctions/pictures/picture-maker.ts";
import { restartAnswers } from "#server/features/auctions/sales/change-sale.ts";
import { createSaleProcessor } from "#server/features/auctions/sales/due-sales.ts";
import { refreshOffersOf } from "#server/features/auctions/sales/second-chances.ts";
import { createCloser } from "#server/features/auctions/settlement/closer.ts";
import { Refusals } from "#server/features/audit/refusals.ts";
import { deleteText } from "#server/features/bulk-runs/retry.ts";
import { createFileLinks } from "#server/features/documents/links.ts";
import { busyChannels } from "#server/features/index.ts";
import { createUnsubscribeLinks } from "#server/features/notifications/unsubscribe-links.ts";
import { removeWebhooks } from "#server/features/notifications/webhooks/commands.ts";
import { createWebhookSecrets } from "#server/features/notifications/webhooks/secrets.ts";
import { moveOfferDeadlines } from "#server/features/offers/deadlines.ts";
import { refuseBlockedStep } from "#server/features/planner/blocked-steps.ts";
import { followSlot } from "#server/features/planner/requests.ts";
import { endCalendar } from "#server/features/planner/settings.ts";
import { copyTemplates, handTasksOver } from "#server/features/planner/task-templates.ts";
import { notifyOfKeptAccount } from "#server/features/privacy/request-deletion.ts";
import { createProgrammeCounts } from "#server/features/programmes/finding/counts.ts";
import { RequirementIndex } from "#server/features/programmes/finding/requirement-index.ts";
import { createProgrammeSlugs } from "#server/features/programmes/finding/slugs.ts";
import { createPushKeys } from "#server/features/push/push-keys.ts";
import { createStudentCounts } from "#server/features/saved-views/views.ts";
import { createSecondFactors } from "#server/features/second-factor/codes.ts";
import { createPasskeys } from "#server/features/second-factor/webauthn.ts";
import { createSessions } from "#server/features/sessions/sessions.ts";
import { createSignedCookies } from "#server/features/sessions/signed-cookies.ts";
import { argonPasswords, type Passwords } from "#server/features/sign-in/passwords/passwords.ts";
import { createBus } from "#server/platform/bus.ts";
import { type DatabaseAddress, openDatabase } from "#server/platform/database.ts";
import { watchDatabase } from "#server/platform/database-watch.ts";
import type { Environment } from "#server/platform/environment.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { createKeys, readSecrets } from "#server/platform/keys.ts";
import { createLive } from "#server/platform/live.ts";
import type { Log } from "#server/platform/log.ts";
import { createMailer } from "#server/platform/mail.ts";
import { Outbound } from "#server/platform/outbound.ts";
import { Reads } from "#server/platform/reads.ts";
import { Searches } from "#server/platform/searches.ts";
import { loadOrCreateSecret } from "#server/platform/session-secret.ts";
import { createStorage } from "#server/platform/storage.ts";
import { VirusScanner } from "#server/platform/virus-scanner.ts";
import { workJobs } from "./jobs.ts";
import { createCounters } from "./metrics.ts";
import { notificationChecks } from "./notification-checks.ts";
import type { Services } from "./services.ts";
import type { StudyEvents } from "./study-events.ts";

/** Actions of other features when an account changes, within its transaction. */
const accountEvents: AccountEvents = {
  endWebhooks: removeWebhooks,
  endCalendar,
  signedUp: notifyOfApplicant,
  kept: notifyOfKeptAccount,
  async lost(services, tx, account) {
    await endAccountsAuctions(services, tx, account);
    await refreshOffersOf(services, tx, account.id);
    await releaseStudentsOfLost(services, tx, account);
  },
  async regained(services, tx, id) {
    await refreshBidPages(services, tx, id);
    await refreshOffersOf(services, tx, id);
    await restartAnswers(tx, id);
  },
};

/** Actions of other features when a student's documents or applications change, within its transaction. */
const studyEvents: StudyEvents = {
  zoneChanged: (_services, tx, about) => moveOfferDeadlines(tx, about),
  slotChanged: followSlot,
  submitted: copyTemplates,
  async moving(...step) {
    await refuseBlockedStep(...step);
    await handTasksOver(...step);
  },
  messageRedacted: deleteText,
};

export type Composition = { services: Services; stop: () => Promise<void> };

/** Milliseconds that running jobs get to finish when the server stops. */
const jobsTimeout = 1500;

/** Assembles the server's parts on a prepared database, without any background work. */
export async function assemble(
  environment: Environment,
  address: DatabaseAddress,
  log: Log,
  passwords: Passwords = argonPasswords,
): Promise<Composition> {
  const database = openDatabase(address, (error, what) => log.warn({ err: error }, what));
  const { databaseReplicaUrl } = environment;
  const replica = databaseReplicaUrl === null ? null : { connectionString: databaseReplicaUrl };
  const reads = new Reads({
    primary: database,
    replica:
      replica && openDatabase(replica, (error, what) => log.warn({ err: error }, `the replica: ${what}`)),
    log,
  });
  const secret = environment.sessionSecret ?? (await loadOrCreateSecret(environment.dataDir));
  const keys = createKeys(readSecrets(secret));
  const { baseUrl, secondFactorRequired } = environment;
  const signedCookies = createSignedCookies({ baseUrl, keys });
  const [storage, jobs, bus] = await Promise.all([
    createStorage(environment),
    createJobs(address, log, database.sockets),
    createBus(database, log, environment.eventsUrl),
  ]);
  const live = createLive(bus, busyChannels);
  const apiKeySessions = createApiKeySessions({ database, secondFactorRequired });
  const sessions = createSessions({
    database,
    bus,
    live,
    signedCookies,
    apiKeySessions,
    endCalendar,
    secondFactorRequired,
  });
  const limits = createLimits(database);
  const refusals = new Refusals({ database, log });
  const mailer = createMailer(environment, log);
  const products = new ProductStates({ database, bus, live, log, keys });
  const outbid = new OutbidNotifier({ database, jobs, live, log });
  const pictures = new PictureMaker(log);
  const signReceipt = createReceiptSigner(keys);
  const counters = createCounters(environment.accessLog ? log : null);
  const services: Services = {
    ...counters,
    environment,
    log,
    database,
    reads,
    storage,
    bus,
    live,
    jobs,
    mailer,
    signedCookies,
    passwords,
    sessions,
    apiKeySessions,
    accountEvents,
    studyEvents,
    notificationChecks,
    limits,
    refusals,
    searches: new Searches(limits.search),
    keys,
    secondFactors: createSecondFactors(keys),
    passkeys: createPasskeys(database, baseUrl),
    fileLinks: createFileLinks(keys),
    unsubscribeLinks: createUnsubscribeLinks(keys, baseUrl),
    pushKeys: createPushKeys(keys, environment.contactEmail),
    webhookSecrets: createWebhookSecrets(keys),
    outbound: new Outbound({ allowPrivate: environment.webhooksAllowPrivate }),
    products,
    signReceipt,
    openCounts: createOpenCounts(reads),
    sharedLists: createSharedLists(),
    itemsOnSale: createItemsOnSale(reads),
    programmeCounts: createProgrammeCounts(reads),
    programmeSlugs: createProgrammeSlugs(reads),
    requirementIndex: new RequirementIndex(),
    studentCounts: createStudentCounts(database),
    bids: new BidQueues({
      database,
      products,
      outbid,
      ownBids: new OwnBids({ live, log }),
      signReceipt,
      log,
      unverifiedLimit: environment.unverifiedBidLimit,
    }),
    pictures,
    virusScanner: new VirusScanner({ address: environment.clamav, log, scans: counters.virusScans }),
    outbid,
  };

  async function stop() {
    live.endAll();
    products.stop();
    pictures.stop();
    await outbid.stop();
    await jobs.stop(jobsTimeout);
    await refusals.stop();
    await bus.stop();
    mailer.close();
    await reads.stop();
    await database.close();
  }
  return { services, stop };
}

/**
 * Assembles the server and starts its background work: jobs, the closing of auctions, the follow-up of sales, and the
 * watch over the database.
 */
export async function compose(...parts: Parameters<typeof assemble>): Promise<Composition> {
  const { services, stop } = await assemble(...parts);
  await workJobs(services);
  const closer = createCloser(services);
  const keeper = createSaleProcessor(services);
  const watch = watchDatabase(services.database, services.log);
  return {
    services,
    async stop() {
      services.live.endAll();
      await watch.stop();
      await closer.stop();
      await keeper.stop();
      await stop();
    },
  };
}
