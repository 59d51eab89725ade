import { IconDots } from "@tabler/icons-react";
import { type ReactNode, useCallback, useState } from "react";
import type { Message } from "#contract/conversations.ts";
import type { Role } from "#domain/account.ts";
import { formatMomentInZone, formatTime } from "../../lib/format-date.ts";
import { useHasEnded } from "../../lib/watch-time.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { MessageText } from "./message-text.tsx";
import type { ReadingWatch } from "./reading-watch.ts";
import classes from "./thread.module.css";
import { authorOf } from "./thread-words.ts";

const roleLabels: Record<Role, string | null> = { student: "Student", agent: "Agent", admin: null };

/** The viewer's actions on a message; forbidden ones are missing. */
type MessageActions = {
  onTakeBack: () => void;
  onMarkUnread: () => void;
  onBlackOut?: () => void;
};

type MessageItemProps = MessageActions & {
  message: Message;
  watch: ReadingWatch;
  /** Its files. */
  children: ReactNode;
};

/** One message: its author, its text and files or why they are gone, its time and its actions. */
export function MessageItem({ message, watch, children, ...actions }: MessageItemProps) {
  const { number, at, mine, by, state } = message;
  const lastLine = useCallback(
    (line: HTMLElement | null) => (line && !mine ? watch.watch(line, number) : undefined),
    [watch, number, mine],
  );
  const role = by && !mine ? roleLabels[by.role] : null;
  return (
    <li
      className={classes.message}
      data-own={mine || undefined}
      data-stub={state !== "sent" || undefined}
      data-number={number}
    >
      <p className={classes.who}>
        <span className={classes.name}>{authorOf(message)}</span>
        {role && <span className={classes.side}> · {role}</span>}
      </p>
      {state === "sent" ? (
        <>
          {message.text !== "" && <MessageText text={message.text} />}
          {children}
        </>
      ) : (
        <p className={classes.text}>{stubOf(message)}</p>
      )}
      <Foot message={message} actions={actions}>
        <time
          ref={lastLine}
          className={classes.time}
          dateTime={at.toISOString()}
          title={formatMomentInZone(at)}
        >
          {formatTime(at)}
        </time>
      </Foot>
    </li>
  );
}

function stubOf({ state, mine, reason }: Message): string {
  if (state === "takenBack") return mine ? "You took this message back." : "This message was taken back.";
  return `This message was removed by ${authorOf({ mine: false, by: { role: "admin", name: "" } }).toLowerCase()}: ${reason}`;
}

type FootProps = { message: Message; actions: MessageActions; children: ReactNode };

function Foot({ message, actions, children }: FootProps) {
  const { mine, state, takeBackUntil } = message;
  const [isOpen, setOpen] = useState(false);
  const { onBlackOut } = actions;
  const mayBlackOut = onBlackOut !== undefined && state === "sent";
  return (
    <>
      <div className={classes.foot}>
        {children}
        {takeBackUntil && <TakeBack until={takeBackUntil} onTakeBack={actions.onTakeBack} />}
        {(!mine || mayBlackOut) && (
          <IconButton
            label={`Actions for the message of ${authorOf(message)}, ${formatTime(message.at)}`}
            aria-expanded={isOpen}
            className={classes.more ?? ""}
            onClick={() => setOpen(!isOpen)}
          >
            <IconDots size={18} stroke={1.6} aria-hidden />
          </IconButton>
        )}
      </div>
      {isOpen && (
        <div className={classes.actions}>
          {!mine && (
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => {
                setOpen(false);
                actions.onMarkUnread();
              }}
            >
              Mark as unread from here
            </Button>
          )}
          {mayBlackOut && (
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => {
                setOpen(false);
                onBlackOut();
              }}
            >
              Black out
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function TakeBack({ until, onTakeBack }: { until: Date; onTakeBack: () => void }) {
  if (useHasEnded(until.getTime())) return null;
  return (
    <Button variant="subtle" size="compact-sm" onClick={onTakeBack}>
      Take back
    </Button>
  );
}
