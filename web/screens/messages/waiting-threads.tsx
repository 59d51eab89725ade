import { useInfiniteQuery } from "@tanstack/react-query";
import { useLive } from "../../lib/live.ts";
import { paged } from "../../lib/paged.ts";
import { api } from "../../lib/rpc.ts";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import classes from "./thread-list.module.css";
import { ThreadList } from "./thread-list.tsx";

/** Conversations of one filter, a page at a time. */
export const threadsQuery = (filter: "all" | "waiting") =>
  api.conversations.list.infiniteOptions({
    input: (cursor: string | undefined) => ({ filter, cursor }),
    ...paged,
  });

/** The conversations that wait for the staff's answer, the longest waiting first, live. */
export function WaitingThreads() {
  useLive("conversations");
  const query = useInfiniteQuery(threadsQuery("waiting"));
  const { data, error, refetch } = query;
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <ThreadsSkeleton label="Loading what waits for an answer" />;
  const threads = data.pages.flatMap((page) => page.threads);
  if (threads.length === 0) return <p className={classes.nothing}>Nobody is waiting for an answer.</p>;
  return (
    <>
      <ThreadList label="Waiting for us" threads={threads} viewerSide="staff" />
      <ShowMore query={query} />
    </>
  );
}

export const ThreadsSkeleton = ({ label }: { label: string }) => (
  <Waiting gap="xs" label={label}>
    <Skeleton h={92} />
    <Skeleton h={92} />
  </Waiting>
);
