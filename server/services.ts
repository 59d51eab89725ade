import type { AccountEvents } from "./features/account/events.ts";
import type { createLimits } from "./features/account/limits.ts";
import type { createApiKeySessions } from "./features/api-keys/api-key-sessions.ts";
import type { BidQueues } from "./features/auctions/bidding/bid-queues.ts";
import type { OutbidNotifier } from "./features/auctions/bidding/outbid.ts";
import type {
  createItemsOnSale,
  createOpenCounts,
  createSharedLists,
} from "./features/auctions/catalogue/list-products.ts";
import type { ProductStates } from "./features/auctions/catalogue/product-states.ts";
import type { ReceiptSigner } from "./features/auctions/history/receipts.ts";
import type { PictureMaker } from "./features/auctions/pictures/picture-maker.ts";
import type { Refusals } from "./features/audit/refusals.ts";
import type { createFileLinks } from "./features/documents/links.ts";
import type { NotificationChecks } from "./features/notifications/current-notifications.ts";
import type { createUnsubscribeLinks } from "./features/notifications/unsubscribe-links.ts";
import type { createWebhookSecrets } from "./features/notifications/webhooks/secrets.ts";
import type { createProgrammeCounts } from "./features/programmes/finding/counts.ts";
import type { RequirementIndex } from "./features/programmes/finding/requirement-index.ts";
import type { createProgrammeSlugs } from "./features/programmes/finding/slugs.ts";
import type { createPushKeys } from "./features/push/push-keys.ts";
import type { createStudentCounts } from "./features/saved-views/views.ts";
import type { createSecondFactors } from "./features/second-factor/codes.ts";
import type { createPasskeys } from "./features/second-factor/webauthn.ts";
import type { createSessions } from "./features/sessions/sessions.ts";
import type { SignedCookies } from "./features/sessions/signed-cookies.ts";
import type { Passwords } from "./features/sign-in/passwords/passwords.ts";
import type { Counters } from "./metrics.ts";
import type { Bus } from "./platform/bus.ts";
import type { Database } from "./platform/database.ts";
import type { Environment } from "./platform/environment.ts";
import type { Jobs } from "./platform/jobs.ts";
import type { Keys } from "./platform/keys.ts";
import type { Live } from "./platform/live.ts";
import type { Log } from "./platform/log.ts";
import type { createMailer } from "./platform/mail.ts";
import type { Outbound } from "./platform/outbound.ts";
import type { Reads } from "./platform/reads.ts";
import type { Searches } from "./platform/searches.ts";
import type { Storage } from "./platform/storage.ts";
import type { VirusScanner } from "./platform/virus-scanner.ts";
import type { StudyEvents } from "./study-events.ts";

/** Dependencies of commands, queries and procedures; `compose.ts` assembles them once per process. */
export interface Services extends Counters {
  environment: Environment;
  log: Log;

  database: Database;
  reads: Reads;
  storage: Storage;
  bus: Bus;
  live: Live;
  jobs: Jobs;
  mailer: ReturnType<typeof createMailer>;
  keys: Keys;
  outbound: Outbound;
  searches: Searches;
  virusScanner: VirusScanner;

  signedCookies: SignedCookies;
  passwords: Passwords;
  sessions: ReturnType<typeof createSessions>;
  apiKeySessions: ReturnType<typeof createApiKeySessions>;
  secondFactors: ReturnType<typeof createSecondFactors>;
  passkeys: ReturnType<typeof createPasskeys>;
  accountEvents: AccountEvents;
  studyEvents: StudyEvents;
  limits: ReturnType<typeof createLimits>;
  refusals: Refusals;

  fileLinks: ReturnType<typeof createFileLinks>;
  notificationChecks: NotificationChecks;
  unsubscribeLinks: ReturnType<typeof createUnsubscribeLinks>;
  pushKeys: ReturnType<typeof createPushKeys>;
  webhookSecrets: ReturnType<typeof createWebhookSecrets>;

  products: ProductStates;
  signReceipt: ReceiptSigner;
  openCounts: ReturnType<typeof createOpenCounts>;
  sharedLists: ReturnType<typeof createSharedLists>;
  itemsOnSale: ReturnType<typeof createItemsOnSale>;
  programmeCounts: ReturnType<typeof createProgrammeCounts>;
  programmeSlugs: ReturnType<typeof createProgrammeSlugs>;
  requirementIndex: RequirementIndex;
  studentCounts: ReturnType<typeof createStudentCounts>;
  bids: BidQueues;
  outbid: OutbidNotifier;
  pictures: PictureMaker;
}
