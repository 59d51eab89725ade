import { sql } from "drizzle-orm";
import { mutedMail, openDigest } from "../notifications/tables.ts";
import { mutedPush, pushSubscription } from "../push/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";

/** Tables of notification mails and pushes: their recipients, and the kinds that users have switched off. */
export const tablesOfNotifications: readonly TableOfPeople[] = [
  {
    table: mutedMail,
    download: {
      emailsSwitchedOff: (id) => sql`select kind from muted_mail where user_id = ${id} order by kind`,
    },
    erase: "cascade",
  },
  {
    table: pushSubscription,
    download: {
      browsersNotified: (id) => sql`
        select (select user_agent from session where session.id = session_id) as "browser",
          substring(endpoint from '^[^/]+//([^/]+)') as "service", made_at as "since", failed_at as "failingSince"
        from push_subscription where user_id = ${id} order by made_at, id`,
    },
    erase: "cascade",
  },
  {
    table: mutedPush,
    download: {
      pushesSwitchedOff: (id) => sql`select kind from muted_push where user_id = ${id} order by kind`,
    },
    erase: "cascade",
  },
  {
    table: openDigest,
    omittedBecause: "It only marks which notifications the next email gathers.",
    erase: "cascade",
  },
];
