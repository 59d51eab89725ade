import { IconBell } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import type { NotificationEntry } from "#contract/notifications.ts";
import { mostUnread } from "#domain/notification.ts";
import { api, rpc } from "../lib/rpc.ts";
import { useLive } from "../lib/use-live.ts";
import { IconButton } from "../ui/icon-button.tsx";
import classes from "./bell.module.css";
import { BellEntries, type Shown } from "./bell-entries.tsx";
import { useSignOut } from "./sign-out.tsx";

const panelId = "bell-panel";
const close = () => document.getElementById(panelId)?.hidePopover();

const labelFor = (unread: number) => {
  if (unread === 0) return "Notifications";
  return `Notifications, ${unread > mostUnread ? `more than ${mostUnread}` : unread} unread`;
};

function shownOf(entries: readonly NotificationEntry[] | undefined, retry: (() => void) | null): Shown {
  if (entries) return { state: "known", entries };
  return retry ? { state: "failed", retry } : { state: "unknown" };
}

/** The bell with how many entries are unread, live; its panel shows the newest. Closing it marks them as read. */
export default function Bell() {
  useLive("notifications");
  const [opened, setOpened] = useState(false);
  const { isSigningOut } = useSignOut();
  const { data: count } = useQuery({ ...api.notifications.unread.queryOptions(), enabled: !isSigningOut });
  const {
    data: page,
    error,
    refetch,
  } = useQuery({
    ...api.notifications.list.queryOptions({ input: {} }),
    enabled: opened,
    placeholderData: keepPreviousData,
  });
  const unread = count?.unread ?? 0;
  const shown = shownOf(page?.entries, error && (() => void refetch()));

  function onToggle(isOpen: boolean) {
    setOpened(isOpen);
    const newest = page?.entries[0];
    // What can't be marked now stays unread, and is marked the next time.
    if (!isOpen && newest && unread > 0) void rpc.notifications.markRead({ upTo: newest.id }).catch(() => {});
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
        onToggle={({ newState }) => onToggle(newState === "open")}
      >
        <BellEntries shown={shown} onFollow={close} />
        <Link to="/notifications" className={classes.all} onClick={close}>
          All notifications
        </Link>
      </section>
    </>
  );
}
