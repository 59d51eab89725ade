import type { NotificationEntry } from "#contract/notifications.ts";
import { Button } from "../ui/button.tsx";
import { NotificationList } from "../ui/notification-list.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Waiting } from "../ui/waiting.tsx";
import classes from "./bell.module.css";

/** What the panel knows of the entries that it shows. */
export type Shown =
  | { state: "unknown" }
  | { state: "failed"; retry: () => void }
  | { state: "known"; entries: readonly NotificationEntry[] };

/** The entries, or why there are none. */
export function BellEntries({ shown, onFollow }: { shown: Shown; onFollow: () => void }) {
  if (shown.state === "failed")
    return (
      <div role="alert" className={classes.note}>
        <p className={classes.failure}>We couldn't load your notifications.</p>
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
  if (shown.entries.length === 0) return <p className={classes.note}>You're all caught up.</p>;
  return <NotificationList entries={shown.entries} onFollow={onFollow} />;
}
