import { useFormats } from "../../lib/format-date.ts";
import type { rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";

export type Device = Awaited<ReturnType<typeof rpc.account.devices>>["devices"][number];

type DeviceListProps = {
  devices: readonly Device[];
  /** The id of the one that is being logged out. */
  busy: string | null;
  onSignOut: (device: Device) => void;
};

export function DeviceList({ devices, busy, onSignOut }: DeviceListProps) {
  const { formatDate, formatMoment } = useFormats();
  return (
    <ItemList label="Devices">
      {devices.map((device) => {
        const name = device.browser ?? "Unknown browser";
        return (
          <Item
            key={device.id}
            name={name}
            state={device.current && <StateBadge tone="going">This device</StateBadge>}
            details={
              <>
                <p>
                  Logged in on {formatDate(device.since)}
                  {device.address && ` from ${device.address}`}
                </p>
                {!device.current && <p>Last used {formatMoment(device.lastUsed)}</p>}
              </>
            }
            actions={
              !device.current && (
                <Button
                  variant="default"
                  aria-label={`Log out ${name}, last used ${formatMoment(device.lastUsed)}`}
                  disabled={busy === device.id}
                  onClick={() => onSignOut(device)}
                >
                  Log out
                </Button>
              )
            }
          />
        );
      })}
    </ItemList>
  );
}
