import { useFormats } from "../../lib/format-date.ts";
import type { rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import classes from "./devices.module.css";

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
    <ul className={classes.list} aria-label="Devices">
      {devices.map((device) => (
        <li key={device.id} className={classes.device}>
          <div className={classes.about}>
            <h2 className={classes.name}>
              {device.browser ?? "Unknown browser"}
              {device.current && <StateBadge tone="going">This device</StateBadge>}
            </h2>
            <p className={classes.detail}>
              Logged in on {formatDate(device.since)}
              {device.address && ` from ${device.address}`}
            </p>
            {!device.current && <p className={classes.detail}>Last used {formatMoment(device.lastUsed)}</p>}
          </div>
          {!device.current && (
            <Button
              variant="default"
              size="compact-md"
              aria-label={`Log out ${device.browser ?? "Unknown browser"}, last used ${formatMoment(device.lastUsed)}`}
              disabled={busy === device.id}
              onClick={() => onSignOut(device)}
            >
              Log out
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
