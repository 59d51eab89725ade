import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { mostWebhooks } from "#domain/webhook.ts";
import { useLive } from "../../lib/live.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ItemList } from "../../ui/item-list.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { VerifyFirst } from "../security/verify-first.tsx";
import { AddWebhook } from "./webhook-dialog.tsx";
import { WebhookItem } from "./webhook-item.tsx";
import { webhooksQuery } from "./webhooks-query.ts";

const title = "Webhooks";

export const meta = () => pageMeta(title);

/** The addresses to which an agent's or admin's notifications are sent. */
export default function Webhooks() {
  useLive("webhooks");
  const { data, error, refetch } = useQuery(webhooksQuery);
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const mayAdd = useViewer()?.emailVerified ?? false;
  const add = mayAdd && <Button onClick={() => setAdding(true)}>Add a webhook</Button>;
  return (
    <Page
      title={title}
      lead="Let your own systems know what happens here. Messages name people and items by id only."
    >
      {!mayAdd && (
        <ItemList label="Before you start">
          <VerifyFirst what="webhooks" />
        </ItemList>
      )}
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={220} label="Loading webhooks" />}
      {data?.webhooks.length === 0 && (
        <EmptyState
          title="No webhooks yet"
          text="Add the address of your server, and we'll send it a signed message whenever something happens."
        >
          {add}
        </EmptyState>
      )}
      {data && data.webhooks.length > 0 && (
        <>
          <ItemList label={title}>
            {data.webhooks.map((webhook) => (
              <WebhookItem key={webhook.id} webhook={webhook} events={data.events} onSecret={setSecret} />
            ))}
          </ItemList>
          {data.webhooks.length < mostWebhooks && add}
        </>
      )}
      {data && (
        <AddWebhook
          opened={adding}
          events={data.events}
          onClose={() => setAdding(false)}
          onAdded={(webhook) => {
            setAdding(false);
            setSecret(webhook);
          }}
        />
      )}
      <SecretDialog
        title="Your signing secret"
        words="Your server checks our signatures with it. Copy it now: you won't see it again."
        secret={secret}
        onDone={() => setSecret(null)}
      />
    </Page>
  );
}
