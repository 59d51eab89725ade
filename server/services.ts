import type { Identity } from "#server/features/account/identity.ts";
import type { Limits } from "#server/features/account/limits.ts";
import type { SecondFactors } from "#server/features/account/second-factor.ts";
import type { Sessions } from "#server/features/account/sessions.ts";
import type { BidTaker } from "#server/features/auctions/bidding.ts";
import type { Outbid } from "#server/features/auctions/outbid.ts";
import type { PictureMaker } from "#server/features/auctions/pictures/picture-maker.ts";
import type { ProductStates } from "#server/features/auctions/product-states.ts";
import type { FileLinks } from "#server/features/documents/links.ts";
import type { Bus } from "#server/platform/bus.ts";
import type { Database } from "#server/platform/database.ts";
import type { Environment } from "#server/platform/environment.ts";
import type { Jobs } from "#server/platform/jobs.ts";
import type { Live } from "#server/platform/live.ts";
import type { Log } from "#server/platform/log.ts";
import type { Mailer } from "#server/platform/mail.ts";
import type { Storage } from "#server/platform/storage.ts";

/** What commands, queries and procedures work with; `compose` puts it together once a process. */
export type Services = {
  environment: Environment;
  log: Log;
  database: Database;
  storage: Storage;
  bus: Bus;
  live: Live;
  jobs: Jobs;
  mailer: Mailer;
  identity: Identity;
  sessions: Sessions;
  limits: Limits;
  secondFactors: SecondFactors;
  fileLinks: FileLinks;
  products: ProductStates;
  bids: BidTaker;
  pictures: PictureMaker;
  outbid: Outbid;
};
