import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import type { NotificationEntry } from "#contract/notifications.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { NotificationList } from "../../ui/notification-list.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import classes from "./notifications.module.css";
import { OwnClock } from "./own-clock.tsx";
import { mailSwitchesQuery, Switches } from "./switches.tsx";
import { ThisDevice } from "./this-device.tsx";

const title = "Notifications";

export const meta = () => pageMeta(title);

/** Every notification, and the switches for emails and pushes. */
export default function Notifications() {
  return (
    <Page title={title} lead={<TextLink to="#mails">Choose which emails you get</TextLink>} narrow>
      <NotificationPages />
      <Choice />
      <OwnClock />
    </Page>
  );
}

const pagesQuery = api.notifications.list.infiniteOptions({
  input: (cursor: string | undefined) => ({ cursor }),
  ...paged,
});

/** The whole list, a page at a time. The bell in the frame keeps it fresh. */
function NotificationPages() {
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
      <ErrorModal title="Error" error={marking.error} onClose={marking.reset} />
    </>
  );
}

/** Marks an opened entry as read. The live event refetches the bell; if the call fails, the entry stays unread. */
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

/** The choice of how notifications reach the viewer besides the bell. */
function Choice() {
  const { data, error, refetch } = useQuery(mailSwitchesQuery);
  return (
    <section
      className={classes.mails}
      aria-labelledby="mails"
      ref={useScrollTo("#mails", data !== undefined)}
    >
      <h2 id="mails" className={classes.heading}>
        Email and push notifications
      </h2>
      <p className={classes.lead}>
        Everything appears under the bell. Choose what we also email you, and what your devices show while
        Wayfare is closed.
      </p>
      {data && <ThisDevice />}
      {data && <Switches mails={data.switches} />}
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={140} mt={16} label="Loading email settings" />}
    </section>
  );
}

/** Scrolls to the element that the address names, once the content above it has its height. */
function useScrollTo(part: string, isReady: boolean) {
  const { hash } = useLocation();
  const element = useRef<HTMLElement>(null);
  const { isPending } = useInfiniteQuery(pagesQuery);
  const isDue = hash === part && isReady && !isPending;
  useEffect(() => {
    if (isDue) element.current?.scrollIntoView();
  }, [isDue]);
  return element;
}
