import { useFormats } from "../../lib/format-date.ts";
import type { rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import classes from "./api-keys.module.css";

export type ApiKey = Awaited<ReturnType<typeof rpc.apiKeys.list>>["keys"][number];

type KeyListProps = {
  keys: readonly ApiKey[];
  /** The id of the one that is being revoked. */
  busy: string | null;
  onRevoke: (key: ApiKey) => void;
};

export function KeyList({ keys, busy, onRevoke }: KeyListProps) {
  const { formatDate, formatMoment } = useFormats();
  return (
    <ul className={classes.list} aria-label="API keys">
      {keys.map((key) => (
        <li key={key.id} className={classes.key}>
          <div className={classes.about}>
            <h2 className={classes.name}>
              {key.name}
              {key.expired && <StateBadge tone="ended">Expired</StateBadge>}
            </h2>
            <p className={classes.detail}>
              <code>{key.start}…</code> · created on {formatDate(key.since)}
              {key.expires && `, ends on ${formatDate(key.expires)}`}
            </p>
            <p className={classes.detail}>
              {key.lastUsed ? `Last used ${formatMoment(key.lastUsed)}` : "Never used"}
            </p>
            <p className={classes.scopes}>{key.scopes.join(", ")}</p>
          </div>
          <Button
            variant="default"
            size="compact-md"
            aria-label={`Revoke ${key.name}`}
            disabled={busy === key.id}
            onClick={() => onRevoke(key)}
          >
            Revoke
          </Button>
        </li>
      ))}
    </ul>
  );
}
