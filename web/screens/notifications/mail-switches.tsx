import "@mantine/core/styles/Input.css";
import { Text, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { friendlyError } from "#domain/friendly-error.ts";
import { notificationWords } from "#domain/notification.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import classes from "./notifications.module.css";

export const switchesQuery = api.notifications.mailSwitches.queryOptions();

/** Which kinds of news are mailed too; the bell shows all of them. */
export function MailSwitches() {
  const { data, error, refetch } = useQuery(switchesQuery);
  return (
    <section className={classes.mails} aria-labelledby="mails">
      <Title order={2} size="h3" id="mails">
        Mails
      </Title>
      <Text c="dimmed">The bell shows everything. Choose what is sent to your mailbox as well.</Text>
      {data && <Switches switches={data.switches} />}
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={140} mt="md" label="Loading mail settings" />}
    </section>
  );
}

type Switch = { kind: keyof typeof notificationWords; on: boolean };

function Switches({ switches: all }: { switches: readonly Switch[] }) {
  const setting = useMutation(
    api.notifications.setMailSwitch.mutationOptions({
      onSettled: () => queryClient.invalidateQueries({ queryKey: switchesQuery.queryKey }),
    }),
  );
  const underWay = setting.isPending ? setting.variables : null;
  return (
    <>
      <ul className={classes.switches}>
        {all.map(({ kind, on }) => (
          <li key={kind}>
            <label className={classes.switch}>
              <input
                type="checkbox"
                checked={underWay?.kind === kind ? underWay.on : on}
                disabled={underWay?.kind === kind}
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
