import { useMutation, useQuery } from "@tanstack/react-query";
import type { Webhook, WebhookDelivery } from "#contract/webhooks.ts";
import { type DeliveryProblem, type DeliveryState, deliveriesKeptDays, eventTitle } from "#domain/webhook.ts";
import { announce } from "../../lib/announce.ts";
import { useFormats } from "../../lib/format-date.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import table from "../admin/data-table.module.css";
import { type Column, DataTable } from "../admin/data-table.tsx";
import classes from "./webhooks.module.css";
import { readAgain } from "./webhooks-query.ts";

const states: Record<DeliveryState, { tone: Tone; word: string }> = {
  waiting: { tone: "going", word: "Waiting" },
  delivered: { tone: "good", word: "Delivered" },
  failed: { tone: "asks", word: "Failed" },
  cancelled: { tone: "ended", word: "Cancelled" },
};

const problems: Record<DeliveryProblem, string> = {
  timeout: "No answer in time",
  blocked: "Not a public address",
  certificate: "Certificate not trusted",
  unreachable: "Not reachable",
};

const answerOf = ({ status, problem }: WebhookDelivery): string =>
  problem ? problems[problem] : status === null ? "None yet" : String(status);

/** The latest deliveries and their results. */
export function Deliveries({ webhook: { id, url, state } }: { webhook: Webhook }) {
  const { data, error, refetch } = useQuery(api.webhooks.deliveries.queryOptions({ input: { id } }));
  const again = useMutation({
    mutationFn: (delivery: WebhookDelivery) => rpc.webhooks.sendAgain({ id: delivery.id }),
    onSuccess: () => announce("It's being sent again."),
    onSettled: readAgain,
  });
  const { formatMoment } = useFormats();
  if (!data) {
    if (error) return <Retry error={error} onRetry={() => void refetch()} />;
    return <Skeleton h={120} label="Loading deliveries" />;
  }
  if (data.deliveries.length === 0)
    return <p className={classes.none}>Nothing has been sent in the last {deliveriesKeptDays} days.</p>;
  const columns: Column<WebhookDelivery>[] = [
    {
      title: "Event",
      render: ({ type }) => (
        <>
          {eventTitle(type)} <span className={table.small}>{type}</span>
        </>
      ),
    },
    { title: "Time", holds: "short", render: ({ createdAt }) => formatMoment(createdAt) },
    {
      title: "State",
      render: (delivery) => (
        <StateBadge tone={states[delivery.state].tone}>{states[delivery.state].word}</StateBadge>
      ),
    },
    { title: "Answer", render: answerOf },
    { title: "Attempts", holds: "number", render: ({ attempts }) => attempts },
    {
      title: "Action",
      acts: true,
      render: (delivery) =>
        state === "active" &&
        delivery.state !== "waiting" && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Send again: ${eventTitle(delivery.type)}, ${formatMoment(delivery.createdAt)}`}
            disabled={again.isPending}
            onClick={() => again.mutate(delivery)}
          >
            Send again
          </Button>
        ),
    },
  ];
  return (
    <section className={table.scroller} aria-label={`Deliveries to ${url}`}>
      <DataTable columns={columns} rows={data.deliveries} />
      <ErrorModal title="Error" error={again.error} onClose={again.reset} />
    </section>
  );
}
