import { useMutation, useQuery } from "@tanstack/react-query";
import type { Webhook, WebhookDelivery } from "#contract/webhooks.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { type DeliveryProblem, type DeliveryState, deliveriesKeptDays, eventTitle } from "#domain/webhook.ts";
import { announce } from "../../lib/announce.ts";
import { useFormats } from "../../lib/format-date.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import table from "../admin/admin-table.module.css";
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

/** What was sent lately, and what became of it. */
export function Deliveries({ webhook: { id, url, state } }: { webhook: Webhook }) {
  const { data, error, refetch } = useQuery(api.webhooks.deliveries.queryOptions({ input: { id } }));
  const again = useMutation({
    mutationFn: (delivery: WebhookDelivery) => rpc.webhooks.sendAgain({ id: delivery.id }),
    onSuccess: () => announce("It's being sent again."),
    onSettled: readAgain,
  });
  if (!data) {
    if (error) return <Retry error={error} onRetry={() => void refetch()} />;
    return <Skeleton h={120} label="Loading deliveries" />;
  }
  if (data.deliveries.length === 0)
    return <p className={classes.none}>Nothing has been sent in the last {deliveriesKeptDays} days.</p>;
  return (
    <section className={table.scroller} aria-label={`Deliveries to ${url}`}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Time</th>
            <th scope="col">State</th>
            <th scope="col">Answer</th>
            <th scope="col" className={table.number}>
              Attempts
            </th>
            <th scope="col">Action</th>
          </tr>
        </thead>
        <tbody>
          {data.deliveries.map((delivery) => (
            <Row
              key={delivery.id}
              delivery={delivery}
              onAgain={state === "active" ? again.mutate : null}
              busy={again.isPending}
            />
          ))}
        </tbody>
      </table>
      <ErrorModal title="Error" error={again.error && friendlyError(again.error)} onClose={again.reset} />
    </section>
  );
}

type RowProps = {
  delivery: WebhookDelivery;
  /** Null: nothing can be sent at the moment. */
  onAgain: ((delivery: WebhookDelivery) => void) | null;
  busy: boolean;
};

function Row({ delivery, onAgain, busy }: RowProps) {
  const { formatMoment } = useFormats();
  const { type, createdAt, state, attempts } = delivery;
  return (
    <tr>
      <th scope="row">
        {eventTitle(type)} <span className={table.small}>{type}</span>
      </th>
      <td className={table.short} data-label="Time">
        {formatMoment(createdAt)}
      </td>
      <td data-label="State">
        <StateBadge tone={states[state].tone}>{states[state].word}</StateBadge>
      </td>
      <td data-label="Answer">{answerOf(delivery)}</td>
      <td className={table.number} data-label="Attempts">
        {attempts}
      </td>
      <td data-action>
        {onAgain && state !== "waiting" && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Send again: ${eventTitle(type)}, ${formatMoment(createdAt)}`}
            disabled={busy}
            onClick={() => onAgain(delivery)}
          >
            Send again
          </Button>
        )}
      </td>
    </tr>
  );
}
