import { sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { demoIdPrefix } from "#server/features/account/demo-accounts.ts";
import { account, deniedAgent, user } from "#server/features/account/tables.ts";
import { application, applicationStep, confirmation } from "#server/features/applications/tables.ts";
import { changeRequest, sharing } from "#server/features/assignments/tables.ts";
import { saveSearchWords } from "#server/features/auctions/catalogue/create-product.ts";
import type { TagOf } from "#server/features/auctions/catalogue/read-product.ts";
import { sale, saleEvent, strike } from "#server/features/auctions/sales/tables.ts";
import { auctionAddition, auctionDraft, auctionQuestion } from "#server/features/auctions/selling/tables.ts";
import {
  auctionBid,
  auctionBidder,
  auctionBidding,
  auctionLimit,
  auctionOutbid,
  auctionPicture,
  auctionProduct,
} from "#server/features/auctions/tables.ts";
import { matchItem } from "#server/features/auctions/watching/match-item.ts";
import { auctionWatch, savedSearch, savedSearchAnchor } from "#server/features/auctions/watching/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { bulkItem, bulkRun } from "#server/features/bulk-runs/tables.ts";
import { message, thread, threadReader } from "#server/features/conversations/tables.ts";
import { document } from "#server/features/documents/tables.ts";
import { invitation } from "#server/features/invitations/tables.ts";
import { note, notePin } from "#server/features/notes/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { offer, offerCondition, offerDeposit, offerOverdue } from "#server/features/offers/tables.ts";
import { request, task, taskTemplate } from "#server/features/planner/tables.ts";
import { profile } from "#server/features/profile/tables.ts";
import { storeSamples } from "#server/features/programmes/catalogue/samples.ts";
import { savedView } from "#server/features/saved-views/tables.ts";
import { shortlistItem } from "#server/features/shortlist/tables.ts";
import type { Passwords } from "#server/features/sign-in/passwords/passwords.ts";
import { recordQualification, recordTest, studyRecord } from "#server/features/study-record/tables.ts";
import type { Database, Reader, Transaction } from "#server/platform/database.ts";
import type { Log } from "#server/platform/log.ts";
import type { Storage } from "#server/platform/storage.ts";
import { type StoredDocument, storeDocuments } from "./document-files.ts";
import { password } from "./people.ts";
import { fullSizes, type Plan, plan, type Sizes } from "./plan.ts";
import { storePictures } from "./product-pictures.ts";
import { storeCatalogue } from "./store-catalogue.ts";
import { type SearchRows, savedSearchRows } from "./watching.ts";

type Parts = { database: Database; storage: Storage; passwords: Passwords; log: Log };
/** Options of a filling; `say` gets a line when there is something to wait for. */
type Options = {
  adminEmails: readonly string[];
  tagOf: TagOf;
  sizes?: Sizes;
  now?: Date;
  say?: (line: string) => void;
};
/** `there`: the demo is in the database already. `inUse`: another account is. Both leave the database unchanged. */
export type FillOutcome = "filled" | "there" | "inUse";

/**
 * Fills a database without accounts: files first, then all rows in one transaction, so that the demo is there
 * completely or not at all. The nightly job removes files that a crash leaves without rows, like those of any upload.
 */
export async function fill(parts: Parts, options: Options): Promise<FillOutcome> {
  const { database, storage, passwords, log } = parts;
  const { adminEmails, tagOf, sizes = fullSizes, now = new Date(), say } = options;
  const occupant = await occupantOf(database.db);
  if (occupant !== null) return occupant;
  const { students, agents, products } = sizes;
  say?.(`Filling in ${students} students, ${agents} agents and ${products} auctions, about a minute …`);
  const planned = plan(sizes, adminEmails, now, tagOf);
  const [hash, documents, searches] = await Promise.all([
    passwords.hash(password),
    storeDocuments(storage, planned.documents),
    savedSearchRows(database, planned.searches),
    storePictures(storage, planned.offers, log),
  ]);
  const filling = await database.transaction(async (tx) => {
    // Nobody can sign up, and no second filling begin, until this one is committed.
    await tx.execute(sql`lock table ${user} in share row exclusive mode`);
    const occupant = await occupantOf(tx);
    if (occupant === null) await insertAll(tx, planned, { documents, searches, hash, now });
    return occupant ?? "filled";
  });
  // The latest items are news for users with saved searches.
  if (filling === "filled")
    for (const { product } of planned.offers.slice(-newItems)) await matchItem(database, product.id);
  return filling;
}

/** Number of items that are matched with saved searches. */
const newItems = 100;

/** Views for everyone who manages students. */
const savedViews: (typeof savedView.$inferInsert)[] = [
  {
    id: `${demoIdPrefix}view-review`,
    name: "Documents to review",
    view: { situation: "documentsToReview" },
    columns: ["email", "documents", "progress"],
  },
  {
    id: `${demoIdPrefix}view-offers`,
    name: "Autumn, waiting for an answer",
    view: { situation: "forStudent", intake: "Fall Intake (August or September)" },
    columns: ["email", "phone", "applications"],
  },
];

async function occupantOf(db: Reader): Promise<Exclude<FillOutcome, "filled"> | null> {
  const [row] = await db
    .select({ isDemo: sql<boolean | null>`bool_and(starts_with(${user.id}, ${demoIdPrefix}))` })
    .from(user);
  // The value is null when there is no account at all.
  if (!row || row.isDemo === null) return null;
  return row.isDemo ? "there" : "inUse";
}

/** Rows that are prepared before the transaction. */
type PreparedRows = {
  documents: readonly StoredDocument[];
  searches: SearchRows;
  hash: string;
  now: Date;
};

async function insertAll(
  tx: Transaction,
  planned: Plan,
  { documents, searches, hash, now }: PreparedRows,
): Promise<void> {
  const people = [...planned.admins, ...planned.agents, ...planned.students];
  const credentials = people.map(({ id }) => ({
    id: `credential-${id}`,
    accountId: id,
    userId: id,
    providerId: "credential",
    password: hash,
  }));
  const denied = planned.denied.map((each) => ({ ...each, password: hash }));
  const products = planned.offers.map(({ product }) => product);
  await insert(tx, user, people);
  await insert(tx, account, credentials);
  await insert(tx, deniedAgent, denied);
  await insert(tx, profile, planned.profiles);
  const [admin] = planned.admins;
  const idsOf = await storeCatalogue(tx, planned.programmes, admin?.id ?? "", now);
  await insert(tx, studyRecord, planned.records);
  await insert(tx, recordQualification, planned.qualifications);
  await insert(tx, recordTest, planned.tests);
  await insert(tx, shortlistItem, planned.shortlist);
  await insert(
    tx,
    shortlistItem,
    planned.catalogueItems.map(({ row, choice }) => ({ ...row, ...idsOf(choice) })),
  );
  await insert(tx, savedView, savedViews);
  await insert(tx, invitation, planned.invitations);
  await insert(tx, sharing, planned.sharing);
  await insert(tx, changeRequest, planned.changeRequests);
  await insert(tx, document, documents);
  await insert(
    tx,
    application,
    planned.applications.map((row) => {
      const choice = planned.fromCatalogue.get(row.id);
      return choice ? { ...row, ...idsOf(choice) } : row;
    }),
  );
  await insert(
    tx,
    applicationStep,
    inOrder(planned.steps, ({ at }) => at),
  );
  await insert(tx, bulkRun, planned.bulkRuns);
  await insert(tx, bulkItem, planned.bulkItems);
  await insert(tx, confirmation, planned.confirmations);
  await insert(
    tx,
    note,
    inOrder(planned.notes, ({ at }) => at),
  );
  await insert(tx, notePin, planned.pins);
  await insert(tx, offer, planned.placeOffers);
  await insert(tx, offerCondition, planned.placeConditions);
  await insert(tx, offerDeposit, planned.placeDeposits);
  await insert(tx, offerOverdue, planned.placeOverdue);
  await insert(tx, taskTemplate, planned.templates);
  await insert(tx, request, planned.requests);
  await insert(tx, task, planned.tasks);
  await insert(tx, thread, planned.threads);
  await insert(tx, message, planned.messages);
  await insert(tx, threadReader, planned.readers);
  await insert(tx, auctionProduct, products);
  await insert(tx, auctionBidding, planned.bidding);
  await insert(
    tx,
    auctionBid,
    inOrder(planned.bids, ({ createdAt }) => createdAt),
  );
  await insert(tx, auctionBidder, planned.bidders);
  await insert(tx, auctionLimit, planned.limits);
  await insert(tx, auctionOutbid, planned.outbid);
  await insert(tx, auctionQuestion, planned.questions);
  await insert(tx, auctionAddition, planned.additions);
  await insert(tx, auctionDraft, planned.drafts);
  await insert(tx, sale, planned.sales);
  await insert(tx, saleEvent, planned.saleEvents);
  await insert(tx, strike, planned.strikes);
  await insert(
    tx,
    auctionPicture,
    planned.offers.flatMap(({ pictures }) => pictures),
  );
  await insert(tx, auctionWatch, planned.watches);
  await insert(tx, savedSearch, searches.searches);
  await insert(tx, savedSearchAnchor, searches.anchors);
  for (const name of new Set(products.map(({ productName }) => productName))) await saveSearchWords(tx, name);
  await storeSamples(tx);
  await insert(tx, notification, planned.bell);
  await insert(tx, audit, planned.audit);
}

const inOrder = <Row>(rows: readonly Row[], timeOf: (row: Row) => Date): Row[] =>
  rows.toSorted((one, other) => timeOf(one).getTime() - timeOf(other).getTime());

/** Rows written by one statement: PostgreSQL accepts 65,535 values at most. */
const batchSize = 1000;

async function insert<Table extends PgTable>(
  tx: Transaction,
  table: Table,
  rows: readonly Table["$inferInsert"][],
): Promise<void> {
  for (let at = 0; at < rows.length; at += batchSize)
    await tx.insert(table).values(rows.slice(at, at + batchSize));
}
