import { useMutation, useQuery } from "@tanstack/react-query";
import { announce } from "../../lib/announce.ts";
import { useFormats } from "../../lib/format-date.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import classes from "./devices.module.css";

const title = "Your devices";

export const meta = () => pageMeta(title);

type Device = Awaited<ReturnType<typeof rpc.account.devices>>["devices"][number];

const devicesQuery = api.account.devices.queryOptions();
const refetchDevices = () => queryClient.invalidateQueries({ queryKey: devicesQuery.queryKey });

/** The devices on which the account is logged in, each with a button to log it out. */
export default function Devices() {
  const { data, error, refetch } = useQuery(devicesQuery);
  const one = useMutation({
    mutationFn: ({ id }: Device) => rpc.account.signOutDevice({ id }),
    onSuccess: () => announce("That device is logged out."),
    onSettled: refetchDevices,
  });
  const others = useMutation({
    mutationFn: () => rpc.account.signOutOthers(),
    onSuccess: () => announce("All other devices are logged out."),
    onSettled: refetchDevices,
  });
  const failure = one.error ?? others.error;
  return (
    <Page title={title} lead="Where you're logged in. Log out any device you don't recognise." narrow>
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={220} label="Loading devices" />}
      {data && (
        <>
          <ItemList label="Devices">
            {data.devices.map((device) => (
              <DeviceItem
                key={device.id}
                device={device}
                busy={one.isPending && one.variables.id === device.id}
                onSignOut={() => one.mutate(device)}
              />
            ))}
          </ItemList>
          {data.devices.length > 1 && (
            <Button variant="default" disabled={others.isPending} onClick={() => others.mutate()}>
              Log out all other devices
            </Button>
          )}
          <p className={classes.hint}>
            See one that isn't yours? <TextLink to="/security">Change your password</TextLink> too: that logs
            out all other devices.
          </p>
        </>
      )}
      <ErrorModal
        title="Error"
        error={failure}
        onClose={() => {
          one.reset();
          others.reset();
        }}
      />
    </Page>
  );
}

type DeviceItemProps = { device: Device; busy: boolean; onSignOut: () => void };

function DeviceItem({ device, busy, onSignOut }: DeviceItemProps) {
  const { formatDate, formatMoment } = useFormats();
  const { browser, current, since, address, lastUsed } = device;
  const name = browser ?? "Unknown browser";
  return (
    <Item
      name={name}
      state={current && <StateBadge tone="going">This device</StateBadge>}
      details={
        <>
          <p>
            Logged in on {formatDate(since)}
            {address && ` from ${address}`}
          </p>
          {!current && <p>Last used {formatMoment(lastUsed)}</p>}
        </>
      }
      actions={
        !current && (
          <Button
            variant="default"
            aria-label={`Log out ${name}, last used ${formatMoment(lastUsed)}`}
            disabled={busy}
            onClick={onSignOut}
          >
            Log out
          </Button>
        )
      }
    />
  );
}
