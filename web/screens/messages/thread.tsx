import { useMutation, useQuery } from "@tanstack/react-query";
import type { Viewer } from "#contract/account.ts";
import type { OpenedThread, Thread as ThreadData } from "#contract/conversations.ts";
import { sideOf, unreachableStudent } from "#domain/conversation.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { threadTopic } from "#protocol/live-topic.ts";
import { formatMoment } from "../../lib/format-date.ts";
import { useLive } from "../../lib/live.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { Compose, type ConversationOf } from "./compose.tsx";
import { Messages } from "./message-list.tsx";
import classes from "./thread.module.css";
import { ourTeam } from "./thread-words.ts";

/** A thread starts at the first unread message, so no cached answer may be shown first. */
const uncached = { gcTime: 0 } as const;

export const openQuery = (conversation: ConversationOf) =>
  api.conversations.open.queryOptions({ input: conversation, ...uncached });
export const threadQuery = (threadId: string) =>
  api.conversations.thread.queryOptions({ input: { threadId }, ...uncached });

const refusals = new Set<string | null>(["not-found", "permission-denied", "invalid-argument"]);

/** Whether the viewer may not or no longer see a conversation: its earlier data remain when a later answer says so. */
export const isRefused = (error: unknown): boolean => refusals.has(friendlyError(error).code);

/** The conversation about an application, or a student's general one, as a part of another page. */
export function Thread(conversation: ConversationOf) {
  const { data, error, refetch } = useQuery(openQuery(conversation));
  if (data && !isRefused(error)) return <Conversation opened={data} />;
  if (error) return <Retry error={error} onRetry={() => void refetch()} />;
  return <Skeleton h={240} label="Loading messages" />;
}

type ConversationProps = {
  opened: OpenedThread;
  /** Lets it take the height of the window, on a page of its own. */
  fills?: boolean;
};

/** A conversation, whether it has begun or not: its messages, live, and the box for a new one. */
export function Conversation({ opened, fills = false }: ConversationProps) {
  const { thread, student, application, agent } = opened;
  const viewer = useViewer();
  useLive("conversations");
  useLive(thread && threadTopic(thread.id));
  if (!viewer) return null;
  const isStudent = viewer.role === "student";
  const partner = isStudent ? (agent?.name ?? ourTeam.toLowerCase()) : student.name;
  return (
    <div className={classes.thread} data-fills={fills || undefined}>
      {thread ? (
        <>
          <WaitingLine thread={thread} viewer={viewer} />
          <Messages key={thread.id} thread={thread} viewer={viewer} />
        </>
      ) : (
        <p className={classes.begin}>No messages yet. Your first one begins the conversation.</p>
      )}
      {agent === null && (
        <p className={classes.zone}>
          {isStudent
            ? "You have no agent at present: our team answers."
            : "This student has no agent at present: our team answers."}
        </p>
      )}
      {isStudent || student.reachable ? (
        <Compose
          viewer={viewer}
          conversation={{ studentId: student.id, applicationId: application?.id ?? null }}
          to={partner}
          onSent={refetch}
        />
      ) : (
        <p className={classes.zone}>{unreachableStudent}</p>
      )}
    </div>
  );
}

const refetch = () => void queryClient.invalidateQueries({ queryKey: api.conversations.key() });

/** Says which side the conversation waits for, and lets this side say that no answer is needed. */
function WaitingLine({ thread, viewer }: { thread: ThreadData; viewer: Viewer }) {
  const { id: threadId, lastNumber, waiting, waitingSince, student } = thread;
  const { mutate, isPending, error, reset } = useMutation(
    api.conversations.needsNoAnswer.mutationOptions({ onSettled: refetch }),
  );
  const side = sideOf(viewer);
  const isOurs = waiting === side;
  const others = side === "staff" ? student.name : "an answer";
  return (
    <>
      {waiting !== null && waitingSince && (
        <div className={classes.waiting}>
          <StateBadge tone={isOurs ? "asks" : "going"}>
            {isOurs ? "Waiting for your answer" : `Waiting for ${others}`} since {formatMoment(waitingSince)}
          </StateBadge>
          {isOurs && (
            <Button
              variant="default"
              size="compact-md"
              disabled={isPending}
              onClick={() => mutate({ threadId, lastNumber })}
            >
              No answer needed
            </Button>
          )}
        </div>
      )}
      <ErrorModal title="Message Error" error={error} onClose={reset} />
    </>
  );
}
