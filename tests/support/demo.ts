import { count } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { deniedAgent, user } from "#server/features/account/tables.ts";
import { application, applicationStep } from "#server/features/applications/tables.ts";
import { auctionBid, auctionPicture, auctionProduct } from "#server/features/auctions/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { document } from "#server/features/documents/tables.ts";
import { invitation } from "#server/features/invitations/tables.ts";
import { note } from "#server/features/notes/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { type FillOutcome, fill } from "#tools/demo/fill.ts";
import type { Wayfare } from "./wayfare.ts";

export const admin = "admin@wayfare.example";
/** One hour ahead, so that no auction ends while a slow machine checks it. */
const now = new Date(Date.now() + 3_600_000);

export const fillIn = (
  { services }: Wayfare,
  sizes = { students: 12, agents: 5, products: 20 },
): Promise<FillOutcome> =>
  fill(services, { adminEmails: [admin], tagOf: services.products.tagOf, sizes, now });

const tables: readonly PgTable[] = [
  user,
  deniedAgent,
  application,
  applicationStep,
  note,
  invitation,
  document,
  auctionProduct,
  auctionBid,
  auctionPicture,
  notification,
  audit,
];

/** Returns the number of rows of each kind that the demo writes. */
export const rowsIn = ({ services: { database } }: Wayfare): Promise<number[]> =>
  Promise.all(
    tables.map(async (table) => {
      const [row] = await database.db.select({ rows: count() }).from(table);
      return row?.rows ?? 0;
    }),
  );
