import type { NotificationKind } from "#domain/notification.ts";
import type { EventIds } from "#domain/webhook.ts";
import type { Reader } from "#server/platform/database.ts";

/** An entry that is about to be emailed to `userId`. `ids` is null where an earlier version wrote it. */
export type MailedNews = {
  kind: NotificationKind;
  userId: string;
  about: Record<string, string>;
  ids: EventIds | null;
  agentId: string | null;
  path: string;
};

/**
 * Keeps what is still true of news of one kind, in today's words. An email may leave minutes or, after an outage, days
 * after what it tells of. Each feature answers for its own kinds; what can't become untrue needs no check.
 */
export type NewsCheck = (db: Reader, news: readonly MailedNews[]) => Promise<MailedNews[]>;
export type NewsChecks = Partial<Record<NotificationKind, NewsCheck>>;

/** Drops or rewrites what is no longer true, in the order in which it came. */
export async function currentNews(
  db: Reader,
  checks: NewsChecks,
  news: readonly MailedNews[],
): Promise<MailedNews[]> {
  const current: MailedNews[] = [];
  for (const [kind, some] of Map.groupBy(news, (each) => each.kind))
    current.push(...((await checks[kind]?.(db, some)) ?? some));
  return current;
}
