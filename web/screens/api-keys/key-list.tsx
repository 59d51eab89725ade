import { useFormats } from "../../lib/format-date.ts";
import type { rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";

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
    <ItemList label="API keys">
      {keys.map((key) => (
        <Item
          key={key.id}
          name={key.name}
          state={key.expired && <StateBadge tone="ended">Expired</StateBadge>}
          details={
            <>
              <p>
                <code>{key.start}…</code> · created on {formatDate(key.since)}
                {key.expires && `, ${key.expired ? "expired" : "expires"} on ${formatDate(key.expires)}`}
              </p>
              <p>{key.lastUsed ? `Last used ${formatMoment(key.lastUsed)}` : "Never used"}</p>
              <p>{key.scopes.join(", ")}</p>
            </>
          }
          actions={
            <Button
              variant="default"
              aria-label={`Revoke ${key.name}`}
              disabled={busy === key.id}
              onClick={() => onRevoke(key)}
            >
              Revoke
            </Button>
          }
        />
      ))}
    </ItemList>
  );
}
