import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import type { NotificationEntry } from "#contract/notifications.ts";
import { notificationTable } from "#domain/notification.ts";
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

const title = "Notifications";

export const meta = () => pageMeta(title);

/** Every notification, and the switches for emails. */
export default function Notifications() {
  return (
    <Page title={title} lead={<TextLink to="#mails">Choose which emails you get</TextLink>} narrow>
      <NotificationPages />
      <MailSwitches />
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

const switchesQuery = api.notifications.mailSwitches.queryOptions();

/** Switches for the kinds of news that are also emailed; the bell shows all of them. */
function MailSwitches() {
  const { data, error, refetch } = useQuery(switchesQuery);
  return (
    <section
      className={classes.mails}
      aria-labelledby="mails"
      ref={useScrollTo("#mails", data !== undefined)}
    >
      <h2 id="mails" className={classes.heading}>
        Email notifications
      </h2>
      <p className={classes.lead}>Everything appears under the bell. Choose what we also email you.</p>
      {data && <Switches switches={data.switches} />}
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

type Switch = { kind: keyof typeof notificationTable; on: boolean };

function Switches({ switches: all }: { switches: readonly Switch[] }) {
  const setting = useMutation(
    api.notifications.setMailSwitch.mutationOptions({
      onSettled: () => queryClient.invalidateQueries({ queryKey: switchesQuery.queryKey }),
    }),
  );
  const pending = setting.isPending ? setting.variables : null;
  return (
    <>
      <ul className={classes.switches}>
        {all.map(({ kind, on }) => (
          <li key={kind}>
            <label className={classes.switch}>
              <input
                type="checkbox"
                checked={pending?.kind === kind ? pending.on : on}
                // A disabled checkbox would lose the focus.
                aria-disabled={pending?.kind === kind || undefined}
                onChange={({ currentTarget: { checked } }) =>
                  pending?.kind !== kind && setting.mutate({ kind, on: checked })
                }
              />
              {notificationTable[kind].label}
            </label>
          </li>
        ))}
      </ul>
      <ErrorModal title="Error" error={setting.error} onClose={setting.reset} />
    </>
  );
}
