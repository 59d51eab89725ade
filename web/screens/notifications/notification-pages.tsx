import { Group } from "@mantine/core";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { friendlyError } from "#domain/friendly-error.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { NotificationList } from "../../ui/notification-list.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import classes from "./notifications.module.css";

const firstPage: string | undefined = undefined;

export const pagesQuery = api.notifications.list.infiniteOptions({
  input: (cursor: string | undefined) => ({ cursor }),
  initialPageParam: firstPage,
  getNextPageParam: ({ next }) => next ?? undefined,
});

/** The whole list, a page at a time. The bell in the frame keeps it fresh. */
export function NotificationPages() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(pagesQuery);
  const marking = useMutation(
    api.notifications.markRead.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: api.notifications.key() }),
    }),
  );
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton />;
  const entries = data.pages.flatMap((page) => page.entries);
  const [newest] = entries;
  if (!newest)
    return (
      <EmptyState
        title="Nothing yet"
        text="News about applications, documents, students and auctions will be listed here."
      />
    );
  return (
    <>
      {entries.some(({ read }) => !read) && (
        <Group justify="flex-end" mb="xs">
          <Button
            variant="subtle"
            size="compact-md"
            disabled={marking.isPending}
            onClick={() => marking.mutate({ upTo: newest.id })}
          >
            Mark all as read
          </Button>
        </Group>
      )}
      <div className={classes.list}>
        <NotificationList entries={entries} />
      </div>
      {hasNextPage && (
        <Button variant="default" apart disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? "Loading..." : "Show more"}
        </Button>
      )}
      <ErrorModal
        title="Error"
        error={marking.error && friendlyError(marking.error)}
        onClose={marking.reset}
      />
    </>
  );
}

function ListSkeleton() {
  return (
    <Waiting gap="xs" label="Loading notifications">
      <Skeleton h={78} />
      <Skeleton h={78} />
      <Skeleton h={78} />
    </Waiting>
  );
}
