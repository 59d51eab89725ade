import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { mostApiKeys } from "#domain/api-key.ts";
import { announce } from "../../lib/announce.ts";
import { useFormats } from "../../lib/format-date.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { VerifyFirst } from "../security/verify-first.tsx";
import classes from "./api-keys.module.css";
import { NewKey } from "./new-key.tsx";

const title = "API keys";

export const meta = () => pageMeta(title);

type ApiKey = Awaited<ReturnType<typeof rpc.apiKeys.list>>["keys"][number];

const keysQuery = api.apiKeys.list.queryOptions();
const refetchKeys = () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });

/** The keys that let programs act as an approved agent or an admin. */
export default function ApiKeys() {
  const { data, error, refetch } = useQuery(keysQuery);
  const [isNew, setIsNew] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [keyToRevoke, setKeyToRevoke] = useState<ApiKey | null>(null);
  const revoke = useMutation({
    mutationFn: ({ id }: ApiKey) => rpc.apiKeys.revoke({ id }),
    onSuccess: (_done, { name }) => announce(`${name} is revoked.`),
    onSettled: refetchKeys,
  });
  const keys = data?.keys ?? [];
  const mayAdd = useViewer()?.emailVerified ?? false;
  const create = mayAdd && keys.length < mostApiKeys && (
    <Button onClick={() => setIsNew(true)}>Create key</Button>
  );
  return (
    <Page title={title} lead="Let your own programs work with Wayfare as you." narrow>
      {!mayAdd && (
        <ItemList label="Before you start">
          <VerifyFirst what="API keys" />
        </ItemList>
      )}
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={220} label="Loading API keys" />}
      {data && keys.length === 0 && (
        <EmptyState title="No API keys yet" text="Create one to use Wayfare from a program of yours.">
          {create}
        </EmptyState>
      )}
      {keys.length > 0 && (
        <>
          <ItemList label="API keys">
            {keys.map((key) => (
              <KeyItem
                key={key.id}
                apiKey={key}
                busy={revoke.isPending && revoke.variables.id === key.id}
                onRevoke={() => setKeyToRevoke(key)}
              />
            ))}
          </ItemList>
          {create}
          {keys.length >= mostApiKeys && (
            <p className={classes.hint}>You have {mostApiKeys} keys. Revoke one to create another.</p>
          )}
        </>
      )}
      <p className={classes.hint}>
        What programs can do, and how, is in the <TextLink to="/api/docs">API reference</TextLink>.
      </p>
      <NewKey
        opened={isNew}
        onClose={() => setIsNew(false)}
        onCreated={(key) => {
          setIsNew(false);
          setSecret(key);
          void refetchKeys();
        }}
      />
      <SecretDialog
        title="Your API key"
        words="Copy it now and keep it somewhere safe. You won't see it again. Anyone who has it can act as you."
        secret={secret}
        onDone={() => setSecret(null)}
      />
      <ConfirmModal
        question={
          keyToRevoke && {
            title: "Revoke key",
            text: `Programs that use ${keyToRevoke.name} will stop working at once. This can't be undone.`,
            action: "Revoke",
          }
        }
        onCancel={() => setKeyToRevoke(null)}
        onConfirm={() => {
          setKeyToRevoke(null);
          if (keyToRevoke) revoke.mutate(keyToRevoke);
        }}
      />
      <ErrorModal title="API Key Error" error={revoke.error} onClose={revoke.reset} />
    </Page>
  );
}

type KeyItemProps = { apiKey: ApiKey; busy: boolean; onRevoke: () => void };

function KeyItem({ apiKey, busy, onRevoke }: KeyItemProps) {
  const { formatDate, formatMoment } = useFormats();
  const { name, start, since, expires, expired, lastUsed, scopes } = apiKey;
  return (
    <Item
      name={name}
      state={expired && <StateBadge tone="ended">Expired</StateBadge>}
      details={
        <>
          <p>
            <code>{start}…</code> · created on {formatDate(since)}
            {expires && `, ${expired ? "expired" : "expires"} on ${formatDate(expires)}`}
          </p>
          <p>{lastUsed ? `Last used ${formatMoment(lastUsed)}` : "Never used"}</p>
          <p>{scopes.join(", ")}</p>
        </>
      }
      actions={
        <Button variant="default" aria-label={`Revoke ${name}`} disabled={busy} onClick={onRevoke}>
          Revoke
        </Button>
      }
    />
  );
}
