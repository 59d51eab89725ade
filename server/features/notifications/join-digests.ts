import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { type Digest, digests } from "#domain/digest.ts";
import { digestOf, type NotificationKind } from "#domain/notification.ts";
import type { Transaction } from "#server/platform/database.ts";
import { openDigest } from "./tables.ts";

type Recipient = { userId: string; kind: NotificationKind };

/**
 * Finds the mails that gather notifications for these people, and opens the missing ones. Their rows stay locked until
 * the transaction ends, so that no mail is written without the notifications that join it here.
 */
export async function joinDigests(tx: Transaction, notifications: readonly Recipient[]) {
  const keyOf = ({ userId, digest }: { userId: string; digest: Digest }) => `${userId} ${digest}`;
  const rowByKey = new Map<string, { userId: string; digest: Digest; mailId: string }>();
  for (const { userId, kind } of notifications) {
    const digest = digestOf(kind);
    if (digest === null) continue;
    const row = { userId, digest, mailId: randomUUID() };
    rowByKey.set(keyOf(row), row);
  }
  // The order is fixed, so that two transactions that notify the same people can't deadlock.
  const rows = [...rowByKey.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const openMails = rows.length === 0 ? [] : await openOrJoin(tx, rows);
  const mails = new Map(openMails.map((row) => [keyOf(row), row.mailId]));
  const opened = rows.flatMap((row) =>
    mails.get(keyOf(row)) === row.mailId
      ? [{ data: { mailId: row.mailId }, afterSeconds: digests[row.digest].minutes * 60 }]
      : [],
  );
  const mailOf = ({ userId, kind }: Recipient): string | null => {
    const digest = digestOf(kind);
    return digest === null ? null : (mails.get(keyOf({ userId, digest })) ?? null);
  };
  return { mailOf, opened };
}

const openOrJoin = (tx: Transaction, rows: (typeof openDigest.$inferInsert)[]) =>
  tx
    .insert(openDigest)
    .values(rows)
    .onConflictDoUpdate({
      target: [openDigest.userId, openDigest.digest],
      set: { mailId: sql`${openDigest.mailId}` },
    })
    .returning();
