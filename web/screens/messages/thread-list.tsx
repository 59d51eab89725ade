import { Link } from "react-router";
import type { Thread } from "#contract/conversations.ts";
import { messageLimits, type Side } from "#domain/conversation.ts";
import { threadPath } from "#protocol/addresses.ts";
import { mostUnread } from "#protocol/page-sizes.ts";
import { passFocusOn } from "../../lib/focus.ts";
import { formatDate, formatMoment } from "../../lib/format-date.ts";
import { StateBadge } from "../../ui/state-badge.tsx";
import classes from "./thread-list.module.css";
import { amount, subjectOf } from "./thread-words.ts";

type ThreadListProps = { label: string; threads: readonly Thread[]; viewerSide: Side };

/** Conversations, each with a link to it. Unread and waiting ones are marked. */
export const ThreadList = ({ label, threads, viewerSide }: ThreadListProps) => (
  <ul aria-label={label} className={classes.list}>
    {threads.map((thread) => (
      <ThreadRow key={thread.id} thread={thread} viewerSide={viewerSide} />
    ))}
  </ul>
);

function ThreadRow({ thread, viewerSide }: { thread: Thread; viewerSide: Side }) {
  const { id, student, application, lastAt, unread, waiting, waitingSince } = thread;
  const subject = subjectOf(application);
  return (
    <li ref={passFocusOn}>
      <Link to={threadPath(id)} className={classes.row} data-unread={unread > 0 || undefined}>
        <span className={classes.title}>
          <span className={classes.name}>{viewerSide === "staff" ? student.name : subject}</span>
          <time className={classes.time} dateTime={lastAt.toISOString()}>
            {formatMoment(lastAt)}
          </time>
        </span>
        {viewerSide === "staff" && <span className={classes.subject}>{subject}</span>}
        <span className={classes.preview}>{previewOf(thread)}</span>
        {(unread > 0 || waiting === viewerSide) && (
          <span className={classes.marks}>
            {unread > 0 && (
              <span className={classes.unread}>{unread > mostUnread ? `${mostUnread}+` : unread} new</span>
            )}
            {waiting === viewerSide && waitingSince && (
              <StateBadge tone="asks">Waiting for you since {formatDate(waitingSince)}</StateBadge>
            )}
          </span>
        )}
      </Link>
    </li>
  );
}

/** Returns the newest message as a single line. */
function previewOf({ last: { mine, state, preview, files } }: Thread): string {
  const who = mine ? "You: " : "";
  if (state === "takenBack") return mine ? "You took a message back" : "A message was taken back";
  if (state === "blackedOut") return "A message was removed";
  const isCut = preview.length >= messageLimits.preview;
  return `${who}${preview === "" ? amount(files, "file") : preview}${isCut ? "…" : ""}`;
}
