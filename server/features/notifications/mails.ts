import { and, asc, eq } from "drizzle-orm";
import { z } from "zod";
import { hasAccess } from "#domain/account.ts";
import { digestOf, digests, mostInMail } from "#domain/digest.ts";
import { type NotificationKind, newsWhileLeaving, notificationWords } from "#domain/notification.ts";
import type { Reader } from "#server/platform/database.ts";
import { compose, greeting, nameToGreet } from "#server/platform/mail.ts";
import type { MailKind } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { user } from "../account/tables.ts";
import { mutedMail, notification, openDigest } from "./tables.ts";

/**
 * The mail of one notification or of those that a digest has gathered, without kinds that the person has switched off;
 * none if the account is not in use.
 */
export const notificationMail: MailKind<{ mailId: string }, Services> = {
  name: "notification",
  data: z.object({ mailId: z.uuid() }),
  async write({ database: { db }, environment: { baseUrl }, unsubscribeLinks }, { mailId }) {
    // What comes from now on begins a mail of its own; this waits for whoever is about to join.
    await db.delete(openDigest).where(eq(openDigest.mailId, mailId));
    const found = await entriesOf(db, mailId);
    const entries = await newsOf(db, found);
    const [first] = entries;
    const [reader] = found;
    if (!first || !reader || !isReached(reader)) return null;
    const digest = digestOf(first.kind);
    const kinds: NotificationKind[] = digest ? [...digests[digest].kinds] : [first.kind];
    const { subject, button, path } =
      entries.length > 1 && digest ? wordsForMany(digest, entries) : wordsForOne(first);
    const left = entries.length - mostInMail;
    return compose({
      to: reader.email,
      subject,
      paragraphs: [
        greeting(nameToGreet(reader)),
        ...entries.slice(0, mostInMail).flatMap(paragraphsOf),
        ...(left > 0 ? [`And ${left} more.`] : []),
      ],
      action: { label: button, link: `${baseUrl}${path}` },
      choices: {
        link: `${baseUrl}/notifications#mails`,
        unsubscribe: unsubscribeLinks.make({ userId: reader.userId, kinds }),
      },
    });
  },
};

type News = { kind: NotificationKind; about: Record<string, string>; path: string };

const entriesOf = (db: Reader, mailId: string) =>
  db
    .select({
      userId: user.id,
      kind: notification.kind,
      topic: notification.topic,
      about: notification.about,
      path: notification.path,
      email: user.email,
      firstName: user.firstName,
      emailVerified: user.emailVerified,
      role: user.role,
      status: user.status,
      muted: mutedMail.kind,
    })
    .from(notification)
    .innerJoin(user, eq(user.id, notification.userId))
    .leftJoin(
      mutedMail,
      and(eq(mutedMail.userId, notification.userId), eq(mutedMail.kind, notification.kind)),
    )
    .where(eq(notification.mailId, mailId))
    .orderBy(asc(notification.id));

/** Somebody who is leaving hears only how the auctions end that still bind them. */
const isReached = ({ kind, ...account }: Entry): boolean =>
  hasAccess(account) || (account.status === "leaving" && newsWhileLeaving.has(kind));

type Entry = Awaited<ReturnType<typeof entriesOf>>[number];

/** What is still news: of each topic the latest, and of agents who applied those who still wait. */
async function newsOf(db: Reader, found: readonly Entry[]): Promise<News[]> {
  const latest = new Map(found.map((entry, at) => [entry.topic ?? at, entry]));
  const wanted = [...latest.values()].filter(({ muted }) => muted === null);
  return wanted.some(({ kind }) => kind === "agentApplied") ? await waitingAgents(db) : wanted;
}

async function waitingAgents(db: Reader): Promise<News[]> {
  const waiting = await db
    .select({ agent: user.name, agency: user.agency })
    .from(user)
    .where(and(eq(user.role, "agent"), eq(user.status, "pending")))
    .orderBy(asc(user.createdAt));
  return waiting.map((about) => ({ kind: "agentApplied", about, path: digests.applicants.path }));
}

function wordsForOne({ kind, about, path }: News) {
  const { subject, button } = notificationWords[kind];
  return { subject: subject(about), button, path };
}

function wordsForMany(digest: keyof typeof digests, entries: readonly News[]) {
  const { subject, button, path } = digests[digest];
  const [first, ...paths] = new Set(entries.map((entry) => entry.path));
  return {
    subject: subject(entries.length),
    button,
    path: first !== undefined && paths.length === 0 ? first : path,
  };
}

function paragraphsOf({ kind, about }: News): string[] {
  const { note = "" } = about;
  return [notificationWords[kind].sentence(about), ...(note ? [`Note: ${note}`] : [])];
}
