import { IconArrowDown } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Fragment, useEffect, useState } from "react";
import type { Viewer } from "#contract/account.ts";
import type { Message, Thread } from "#contract/conversations.ts";
import { blackOutProblem, messageLimits } from "#domain/conversation.ts";
import { isAdmin } from "#domain/permission.ts";
import { announce } from "../../lib/announce.ts";
import { formatDate } from "../../lib/format-date.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { serverNow } from "../../lib/server-clock.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { ReasonDialog } from "../../ui/reason-dialog.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import { useOpenFile } from "../student-documents/use-open-document.ts";
import { KeepDialog, MessageFiles, type SharedFile } from "./message-files.tsx";
import { MessageItem } from "./message-item.tsx";
import { ReadingWatch } from "./reading-watch.ts";
import classes from "./thread.module.css";
import { useThreadScroll } from "./thread-scroll.ts";
import { authorOf } from "./thread-words.ts";

const lastPage: number | undefined = undefined;

/** The messages of a conversation, the last page first; each page in the order of their numbers. */
const messagesQuery = (threadId: string) =>
  api.conversations.messages.infiniteOptions({
    input: (before: number | undefined) => ({ threadId, before }),
    initialPageParam: lastPage,
    getNextPageParam: ({ messages, more }) => (more ? messages[0]?.number : undefined),
  });

/** Lets the arrow keys scroll a region that may have nothing else to focus. */
const keyboardScrollable = { tabIndex: 0 };

type MessagesProps = { thread: Thread; viewer: Viewer };

/** The messages of a conversation, the newest at the end. */
export function Messages({ thread, viewer }: MessagesProps) {
  const query = useInfiniteQuery(messagesQuery(thread.id));
  const { data, error, refetch } = query;
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <Waiting gap="xs" label="Loading messages">
        <Skeleton h={72} w="70%" />
        <Skeleton h={96} w="80%" />
        <Skeleton h={72} w="60%" />
      </Waiting>
    );
  const messages = data.pages.toReversed().flatMap((page) => page.messages);
  return <MessageList thread={thread} viewer={viewer} messages={messages} earlier={query} />;
}

type MessageListProps = MessagesProps & {
  messages: readonly Message[];
  earlier: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
};

function MessageList({ thread, viewer, messages, earlier }: MessageListProps) {
  const firstUnread = useFirstUnread(thread, messages);
  const [isMarked, setMarked] = useState(false);
  const watch = useReadingWatch(thread, isMarked);
  const last = messages.at(-1);
  const { box, onScroll, newBelow, goToNew } = useThreadScroll({
    first: messages[0]?.number ?? 0,
    last: last?.number ?? 0,
    begin: firstUnread,
    isLastMine: last?.mine ?? false,
  });
  const acts = useMessageActs(thread.id, () => setMarked(true));
  const opening = useOpenFile((fileId, mode) => rpc.conversations.fileLink({ fileId, mode }));
  const [fileToKeep, setFileToKeep] = useState<SharedFile | null>(null);
  const mayKeep = (message: Message) => viewer.role === "student" || message.side === "student";
  return (
    <>
      <section
        ref={box}
        className={classes.scroller}
        aria-label="Messages"
        {...keyboardScrollable}
        onScroll={onScroll}
      >
        <ol className={classes.messages}>
          {earlier.hasNextPage && (
            <li className={classes.earlier}>
              <Button
                variant="default"
                size="compact-md"
                disabled={earlier.isFetchingNextPage}
                onClick={() => void earlier.fetchNextPage()}
              >
                {earlier.isFetchingNextPage ? "Loading..." : "Show earlier messages"}
              </Button>
            </li>
          )}
          {messages.map((message, index) => (
            <Fragment key={message.number}>
              <DaySeparator at={message.at} before={messages[index - 1]?.at ?? null} />
              {message.number === firstUnread && (
                <li className={classes.separator} data-new>
                  New
                </li>
              )}
              <MessageItem message={message} watch={watch} {...acts.propsOf(message, viewer)}>
                <MessageFiles
                  files={message.files}
                  onOpen={(fileId) => opening.open(fileId, "view")}
                  onKeep={mayKeep(message) ? setFileToKeep : undefined}
                />
              </MessageItem>
            </Fragment>
          ))}
        </ol>
        {newBelow !== null && (
          <div className={classes.toNewest}>
            <Button size="compact-md" onClick={goToNew}>
              New messages
              <IconArrowDown size={16} aria-hidden />
            </Button>
          </div>
        )}
      </section>
      <output className="unseen">{last && !last.mine && <Arrival message={last} />}</output>
      {acts.dialogs}
      <KeepDialog studentId={thread.student.id} file={fileToKeep} onClose={() => setFileToKeep(null)} />
      <ErrorModal title="File Error" error={opening.failure} onClose={opening.clearFailure} />
    </>
  );
}

/** Announces a message that arrived while the thread was open. */
function Arrival({ message }: { message: Message }) {
  const [first] = useState(message.number);
  return message.number > first ? `New message from ${authorOf(message)}` : null;
}

/** Returns the first message that was unread when the thread was opened, if it is among these; null if none is. */
function useFirstUnread({ readUpTo }: Thread, messages: readonly Message[]): number | null {
  const [first] = useState(() => {
    const unread = messages.find(({ mine, number }) => !mine && number > readUpTo)?.number ?? null;
    // A first-time reader of a long thread starts with the newest messages, at its end.
    return readUpTo === 0 && messages.length > 10 ? null : unread;
  });
  return first;
}

/** Reports read messages while the thread is open, until the viewer has marked messages as unread. */
function useReadingWatch({ id, readUpTo, markedFrom }: Thread, isMarked: boolean): ReadingWatch {
  const [watch] = useState(() => {
    let mark = markedFrom;
    return new ReadingWatch(readUpTo, async (upTo) => {
      // The next report makes up for a failed one.
      await rpc.conversations.read({ threadId: id, upTo, markedFrom: mark }).then(
        () => (mark = mark !== null && upTo >= mark ? null : mark),
        () => {},
      );
    });
  });
  useEffect(() => {
    if (isMarked) return;
    watch.start();
    return () => watch.stop();
  }, [watch, isMarked]);
  return watch;
}

/** A separator between two days. */
function DaySeparator({ at, before }: { at: Date; before: Date | null }) {
  const day = formatDate(at);
  if (before && formatDate(before) === day) return null;
  const today = new Date(serverNow());
  const yesterday = new Date(today);
  yesterday.setDate(today.getDate() - 1);
  const names = { [formatDate(yesterday)]: "Yesterday", [formatDate(today)]: "Today" };
  return <li className={classes.separator}>{names[day] ?? day}</li>;
}

const refetchMessages = () =>
  Promise.all(
    [api.conversations.messages, api.conversations.list, api.conversations.thread].map((each) =>
      queryClient.invalidateQueries({ queryKey: each.key() }),
    ),
  );

/** Returns the viewer's actions on single messages, and their dialogs. */
function useMessageActs(threadId: string, onMarked: () => void) {
  const [takenBack, setTakenBack] = useState<Message | null>(null);
  const [blackedOut, setBlackedOut] = useState<Message | null>(null);
  const takingBack = useMutation({
    mutationFn: (number: number) => rpc.conversations.takeBack({ threadId, number }),
    onSettled: refetchMessages,
  });
  const marking = useMutation({
    mutationFn: (from: number) => rpc.conversations.markUnread({ threadId, from }),
    onSuccess: () => announce("Marked as unread."),
    onSettled: refetchMessages,
  });
  const propsOf = (message: Message, viewer: Viewer) => ({
    onTakeBack: () => setTakenBack(message),
    onMarkUnread: () => {
      // Stops immediately: the message is in view, and would be read again.
      onMarked();
      marking.mutate(message.number);
    },
    ...(isAdmin(viewer) && { onBlackOut: () => setBlackedOut(message) }),
  });
  const failed = [takingBack, marking].find(({ error }) => error);
  const dialogs = (
    <>
      <ConfirmModal
        question={
          takenBack && {
            title: "Take this message back?",
            text: "Its text and files are deleted. A line stays that says you took a message back.",
            action: "Take back",
          }
        }
        onConfirm={() => {
          if (takenBack) takingBack.mutate(takenBack.number);
          setTakenBack(null);
        }}
        onCancel={() => setTakenBack(null)}
      />
      <ReasonDialog
        opened={blackedOut !== null}
        title="Black out message"
        draft={`black out ${threadId} ${blackedOut?.number}`}
        maxLength={messageLimits.reason}
        check={blackOutProblem}
        send={async (reason) => {
          if (blackedOut) await rpc.conversations.blackOut({ threadId, number: blackedOut.number, reason });
          await refetchMessages();
        }}
        action={{ text: "Black out", busyText: "Blacking out..." }}
        errorTitle="Message Error"
        onClose={() => setBlackedOut(null)}
      >
        Its text and files are deleted for good. Everyone in this conversation will see the reason instead.
      </ReasonDialog>
      <ErrorModal title="Message Error" error={failed?.error ?? null} onClose={() => failed?.reset()} />
    </>
  );
  return { propsOf, dialogs };
}
