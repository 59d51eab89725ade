import { IconBell } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link } from "react-router";
import type { NotificationEntry } from "#contract/notifications.ts";
import { mostUnread, notificationsInBell } from "#protocol/page-sizes.ts";
import { useLive } from "../lib/live.ts";
import { api, rpc } from "../lib/rpc.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { NotificationList } from "../ui/notification-list.tsx";
import { Skeleton, Waiting } from "../ui/skeleton.tsx";
import classes from "./bell.module.css";
import { useSignOut } from "./sign-out.tsx";

const panelId = "bell-panel";
const close = () => document.getElementById(panelId)?.hidePopover();

const labelFor = (unread: number) => {
  if (unread === 0) return "Notifications";
  return `Notifications, ${unread > mostUnread ? `more than ${mostUnread}` : unread} unread`;
};

/** The newest entries, as many as the panel has room for; undefined until they are known. */
type Entries = readonly NotificationEntry[] | undefined;

/** Labels the link to the whole list with the number of unread entries that the panel has no room for. */
function allLabel(unread: number, entries: Entries) {
  const more = entries ? unread - entries.filter(({ read }) => !read).length : 0;
  if (more <= 0) return "All notifications";
  return `All notifications (${more}${unread > mostUnread ? "+" : ""} more unread)`;
}

/** Counts the leading entries that are or were visible: the panel can be taller than the window. */
function countSeen(panel: HTMLElement): number {
  const end = panel.getBoundingClientRect().bottom;
  const middles = Array.from(panel.querySelectorAll("li"), (li) => {
    const { top, height } = li.getBoundingClientRect();
    return top + height / 2;
  });
  return middles.filter((middle) => middle <= end).length;
}

/**
 * The bell with the number of unread entries, live; its panel shows the newest. Closing it marks the seen ones as read.
 */
export default function Bell() {
  useLive("notifications");
  const [opened, setOpened] = useState(false);
  const { isSigningOut } = useSignOut();
  const { data: count } = useQuery({ ...api.notifications.unread.queryOptions(), enabled: !isSigningOut });
  const newest = useQuery({ ...api.notifications.list.queryOptions({ input: {} }), enabled: opened });
  const unread = count?.unread ?? 0;
  const entries = newest.data?.entries.slice(0, notificationsInBell);

  const readIds = useRef(new Set<number>());
  const noteSeen = (panel: HTMLElement) => {
    for (const { id, read } of (entries ?? []).slice(0, countSeen(panel))) if (!read) readIds.current.add(id);
  };

  function markSeen() {
    const ids = [...readIds.current];
    readIds.current.clear();
    // If this fails, the entries stay unread and are marked the next time.
    if (ids.length > 0) void rpc.notifications.markRead({ ids }).catch(() => {});
  }
  return (
    <>
      <IconButton label={labelFor(unread)} popoverTarget={panelId} className={classes.bell ?? ""}>
        <IconBell size={22} stroke={1.6} aria-hidden />
        {unread > 0 && (
          <span className={classes.count} aria-hidden="true">
            {unread > mostUnread ? `${mostUnread}+` : unread}
          </span>
        )}
      </IconButton>
      <section
        id={panelId}
        popover="auto"
        aria-label="Newest notifications"
        className={classes.panel}
        onToggle={({ newState }) => setOpened(newState === "open")}
        onScroll={({ currentTarget }) => noteSeen(currentTarget)}
        onBeforeToggle={({ newState, currentTarget }) => {
          if (newState === "open") return;
          noteSeen(currentTarget);
          markSeen();
        }}
      >
        <Link to="/notifications" className={classes.all} onClick={close}>
          {allLabel(unread, entries)}
        </Link>
        <Newest entries={entries} onRetry={newest.error && (() => void newest.refetch())} />
      </section>
    </>
  );
}

/** The entries, or why there are none. */
function Newest({ entries, onRetry }: { entries: Entries; onRetry: (() => void) | null }) {
  if (entries?.length === 0) return <p className={classes.note}>You're all caught up.</p>;
  if (entries) return <NotificationList entries={entries} onFollow={close} />;
  if (onRetry)
    return (
      <div role="alert" className={classes.note}>
        <p className={classes.failure}>We couldn't load your notifications.</p>
        <Button variant="default" size="compact-sm" onClick={onRetry}>
          Retry
        </Button>
      </div>
    );
  return (
    <Waiting className={classes.waiting} label="Loading notifications">
      <Skeleton h={44} />
      <Skeleton h={44} />
    </Waiting>
  );
}
