import type { NotificationEntry } from "#contract/notifications.ts";
import { notificationsInBell } from "#domain/notification.ts";
import { Button } from "../ui/button.tsx";
import { NotificationList } from "../ui/notification-list.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Waiting } from "../ui/waiting.tsx";
import classes from "./bell.module.css";

/** What the panel knows of the newest entries. */
export type Shown =
  | { state: "unknown" }
  | { state: "failed"; retry: () => void }
  | { state: "known"; entries: readonly NotificationEntry[] };

/** The newest few entries, or why there are none. */
export function BellEntries({ shown, onFollow }: { shown: Shown; onFollow: () => void }) {
  if (shown.state === "failed")
    return (
      <div role="alert" className={classes.note}>
        <p className={classes.failure}>Your notifications could not be loaded.</p>
        <Button variant="default" size="compact-sm" onClick={shown.retry}>
          Retry
        </Button>
      </div>
    );
  if (shown.state === "unknown")
    return (
      <Waiting className={classes.waiting} label="Loading notifications">
        <Skeleton h={44} />
        <Skeleton h={44} />
      </Waiting>
    );
  const newest = shown.entries.slice(0, notificationsInBell);
  if (newest.length === 0)
    return <p className={classes.note}>Nothing new. News for you will be shown here.</p>;
  return <NotificationList entries={newest} onFollow={onFollow} />;
}
