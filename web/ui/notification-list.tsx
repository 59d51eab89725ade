import { Link } from "react-router";
import type { NotificationEntry } from "#contract/notifications.ts";
import { notificationTable } from "#domain/notification.ts";
import { passFocusOn } from "../lib/focus.ts";
import { formatMoment } from "../lib/format-date.ts";
import classes from "./notification-list.module.css";

type NotificationListProps = {
  entries: readonly NotificationEntry[];
  onFollow: (entry: NotificationEntry) => void;
};

/** Notifications, newest first, each with a link to its subject. */
export function NotificationList({ entries, onFollow }: NotificationListProps) {
  return (
    <ul className={classes.list}>
      {entries.map((entry) => {
        const { id, kind, about, path, createdAt, read } = entry;
        const { title, details } = notificationTable[kind];
        return (
          <li ref={passFocusOn} key={id}>
            <Link
              to={path}
              className={classes.entry}
              data-unread={!read || undefined}
              onClick={() => onFollow(entry)}
            >
              <span className={classes.title}>
                <span>{title(about)}</span>
                {!read && <span className={classes.new}>New</span>}
              </span>
              {details && <span className={classes.details}>{details(about)}</span>}
              <time className={classes.time} dateTime={createdAt.toISOString()}>
                {formatMoment(createdAt)}
              </time>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
