import { sql } from "drizzle-orm";
import { mutedPush, pushSubscription } from "../push/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";

/** Browsers that are told of news, and the kinds that somebody has switched off. */
export const tablesOfPushes: readonly TableOfPeople[] = [
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
];
