import { IconMessages } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Viewer } from "#contract/account.ts";
import { mostUnread } from "#protocol/page-sizes.ts";
import { useLive } from "../lib/live.ts";
import { api } from "../lib/rpc.ts";
import { iconButtonClass } from "../ui/button.tsx";
import classes from "./bell.module.css";
import { useSignOut } from "./sign-out.tsx";

/** The link to the messages, with a live count of unread conversations, or for staff of those waiting for an answer. */
export default function MessagesLink({ viewer }: { viewer: Viewer }) {
  useLive("conversations");
  const { isSigningOut } = useSignOut();
  const { data } = useQuery({ ...api.conversations.counts.queryOptions(), enabled: !isSigningOut });
  const [count, word] =
    viewer.role === "student" ? [data?.unread ?? 0, "unread"] : [data?.waiting ?? 0, "waiting"];
  const number = count > mostUnread ? `${mostUnread}+` : count;
  return (
    <Link
      to="/messages"
      aria-label={count === 0 ? "Messages" : `Messages, ${number} ${word}`}
      className={`${iconButtonClass} ${classes.bell}`}
    >
      <IconMessages size={22} stroke={1.6} aria-hidden />
      {count > 0 && (
        <span className={classes.count} aria-hidden="true">
          {number}
        </span>
      )}
    </Link>
  );
}
