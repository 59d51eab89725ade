import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import type { NotificationEntry } from "#contract/notifications.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { paged } from "../../lib/paged.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { NotificationList } from "../../ui/notification-list.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import classes from "./notifications.module.css";

export const pagesQuery = api.notifications.list.infiniteOptions({
  input: (cursor: string | undefined) => ({ cursor }),
  ...paged,
});

/** The whole list, a page at a time. The bell in the frame keeps it fresh. */
export function NotificationPages() {
  const query = useInfiniteQuery(pagesQuery);
  const { data, error, refetch } = query;
  const marking = useMutation(
    api.notifications.markAllRead.mutationOptions({
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
        title="You're all caught up"
        text="Updates about applications, documents, students and auctions will appear here."
      />
    );
  return (
    <>
      {entries.some(({ read }) => !read) && (
        <div className={classes.markAll}>
          <Button
            variant="subtle"
            size="compact-md"
            disabled={marking.isPending}
            onClick={() => marking.mutate({ upTo: newest.id })}
          >
            Mark all as read
          </Button>
        </div>
      )}
      <div className={classes.list}>
        <NotificationList entries={entries} onFollow={markOpened} />
      </div>
      <ShowMore query={query} />
      <ErrorModal
        title="Error"
        error={marking.error && friendlyError(marking.error)}
        onClose={marking.reset}
      />
    </>
  );
}

/** The bell refetches by the live event; what can't be marked now stays new. */
function markOpened({ id, read }: NotificationEntry) {
  if (!read) void rpc.notifications.markRead({ ids: [id] }).catch(() => {});
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
