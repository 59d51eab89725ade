import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { friendlyError } from "#domain/friendly-error.ts";
import { notificationWords } from "#domain/notification.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { pagesQuery } from "./notification-pages.tsx";
import classes from "./notifications.module.css";

const switchesQuery = api.notifications.mailSwitches.queryOptions();

/** Which kinds of news are mailed too; the bell shows all of them. */
export function MailSwitches() {
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

/** Scrolls to the element when the address asks for it, once what stands above it has its height. */
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

type Switch = { kind: keyof typeof notificationWords; on: boolean };

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
                disabled={pending?.kind === kind}
                onChange={({ currentTarget }) => setting.mutate({ kind, on: currentTarget.checked })}
              />
              {notificationWords[kind].title}
            </label>
          </li>
        ))}
      </ul>
      <ErrorModal
        title="Error"
        error={setting.error && friendlyError(setting.error)}
        onClose={setting.reset}
      />
    </>
  );
}
