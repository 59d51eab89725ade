import type { AuditEntry } from "#server/features/audit/commands.ts";
import type { audit } from "#server/features/audit/tables.ts";
import type { NewNotification } from "#server/features/notifications/commands.ts";
import type { notification } from "#server/features/notifications/tables.ts";
import { Random } from "./random.ts";
import { after, daysBefore, hour } from "./time.ts";

type WithTime<Event> = Event & { at: Date };
type Entry = typeof notification.$inferInsert;

/** Days after which all entries in the bell were read. */
const unreadFor = 2;

/** Collects the entries that the server's commands write beside the change itself: the audit log and the bell. */
export class Events {
  readonly #audited: WithTime<AuditEntry>[] = [];
  readonly #notifications: WithTime<NewNotification>[] = [];

  audit(at: Date, entry: AuditEntry): void {
    // Addresses that RFC 5737 keeps for documentation.
    const address =
      entry.actorId === undefined ? undefined : `203.0.113.${(entry.actorId?.codePointAt(5) ?? 0) % 250}`;
    this.#audited.push({ at, ...(address !== undefined && { address }), ...entry });
  }

  notify(at: Date, ...notifications: readonly NewNotification[]): void {
    for (const each of notifications) this.#notifications.push({ at, ...each });
  }

  /** Returns the entries of the audit log in the order of time. */
  auditRows(): (typeof audit.$inferInsert)[] {
    return inOrder(this.#audited);
  }

  /**
   * Returns the bell's entries. Older ones were read; of the unread ones, only the latest of a topic exists. None of
   * them is mailed.
   */
  bellRows(now: Date): Entry[] {
    const random = new Random("bell");
    const unreadSince = daysBefore(now, unreadFor);
    const entries = inOrder(this.#notifications).map(
      ({ at, userId, kind, eventKey, topic = null, about, path }): Entry => {
        const isUnread = at > unreadSince || random.chance(0.02);
        const readAt = isUnread ? null : after(at, random.between(0.1, 40) * hour);
        return { userId, kind, eventKey, topic, about, path, createdAt: at, readAt };
      },
    );
    const topicOf = ({ userId, topic }: Entry) => `${userId} ${topic}`;
    const latest = new Map(
      entries.flatMap((entry, place) =>
        entry.topic === null || entry.readAt !== null ? [] : [[topicOf(entry), place] as const],
      ),
    );
    return entries.filter(
      (entry, place) => entry.readAt !== null || (latest.get(topicOf(entry)) ?? place) === place,
    );
  }
}

const inOrder = <Event extends { at: Date }>(events: readonly Event[]): Event[] =>
  events.toSorted((one, other) => one.at.getTime() - other.at.getTime());
