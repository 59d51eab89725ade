import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { Webhook } from "#contract/webhooks.ts";
import { formerSecretHours, stopReasonWords, type WebhookState } from "#domain/webhook.ts";
import { announce } from "../../lib/announce.ts";
import { useFormats } from "../../lib/format-date.ts";
import { rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Item } from "../../ui/item-list.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import { Deliveries } from "./deliveries.tsx";
import { EditWebhook } from "./webhook-dialog.tsx";
import classes from "./webhooks.module.css";
import { readAgain, refetchWebhookList } from "./webhooks-query.ts";

const states: Record<WebhookState, { tone: Tone; word: string }> = {
  active: { tone: "good", word: "Active" },
  paused: { tone: "ended", word: "Paused" },
  stopped: { tone: "asks", word: "Stopped" },
};

type Confirmation = "rotate" | "remove";
const questions = {
  rotate: {
    title: "Replace the secret?",
    text: `You'll see a new secret once. For ${formerSecretHours} hours we sign with both, so that you can switch without missing anything.`,
    action: "Replace",
    harmless: true,
  },
  remove: {
    title: "Remove webhook?",
    text: "Nothing more will be sent to this address, and its deliveries will be deleted.",
    action: "Remove",
  },
} as const;

type WebhookItemProps = {
  webhook: Webhook;
  /** The types of events to choose from. */
  events: readonly string[];
  onSecret: (secret: string) => void;
};

/** One webhook: its address, its state and its actions. */
export function WebhookItem({ webhook, events, onSecret }: WebhookItemProps) {
  const { id, url, state } = webhook;
  const listId = useId();
  const [isExpanded, setExpanded] = useState(false);
  const [editing, setEditing] = useState(false);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const { change, isPending, error, reset } = useChanges(id, onSecret);
  return (
    <Item
      name={url}
      state={<StateBadge tone={states[state].tone}>{states[state].word}</StateBadge>}
      details={<Details webhook={webhook} />}
      actions={
        <>
          {state === "active" ? (
            <>
              <Button
                variant="default"
                disabled={isPending}
                onClick={() => {
                  setExpanded(true);
                  change("test");
                }}
              >
                Send a test
              </Button>
              <Button variant="default" disabled={isPending} onClick={() => change("pause")}>
                Pause
              </Button>
            </>
          ) : (
            <Button disabled={isPending} onClick={() => change("resume")}>
              Turn on
            </Button>
          )}
          <Button variant="default" onClick={() => setEditing(true)}>
            Edit
          </Button>
          <Button variant="default" disabled={isPending} onClick={() => setConfirmation("rotate")}>
            Replace secret
          </Button>
          <Button variant="default" disabled={isPending} onClick={() => setConfirmation("remove")}>
            Remove
          </Button>
          <Button
            variant="subtle"
            aria-expanded={isExpanded}
            aria-controls={listId}
            onClick={() => setExpanded(!isExpanded)}
          >
            {isExpanded ? "Hide deliveries" : "Show deliveries"}
          </Button>
        </>
      }
    >
      <div id={listId} className={classes.deliveries}>
        {isExpanded && <Deliveries webhook={webhook} />}
      </div>
      <EditWebhook opened={editing} webhook={webhook} events={events} onClose={() => setEditing(false)} />
      <ConfirmModal
        question={confirmation && questions[confirmation]}
        onCancel={() => setConfirmation(null)}
        onConfirm={() => {
          setConfirmation(null);
          if (confirmation) change(confirmation);
        }}
      />
      <ErrorModal title="Error" error={error} onClose={reset} />
    </Item>
  );
}

function Details({ webhook: { events, stopped, formerSecretUntil } }: Pick<WebhookItemProps, "webhook">) {
  const { formatMoment } = useFormats();
  return (
    <>
      <p>{events.join(", ")}</p>
      {stopped && (
        <p className={classes.stopped}>
          Stopped {formatMoment(stopped.at)}. {stopReasonWords[stopped.because]}
        </p>
      )}
      {formerSecretUntil && <p>Your former secret still works until {formatMoment(formerSecretUntil)}.</p>}
    </>
  );
}

type Change = "test" | "pause" | "resume" | "rotate" | "remove";

function useChanges(id: string, onSecret: (secret: string) => void) {
  const carryOut: Record<Change, () => Promise<void>> = {
    async test() {
      await rpc.webhooks.sendTest({ id });
      announce("A test is on its way.");
    },
    async pause() {
      await rpc.webhooks.pause({ id });
      announce("Webhook paused.");
    },
    async resume() {
      await rpc.webhooks.resume({ id });
      announce("Webhook turned on.");
    },
    async rotate() {
      onSecret((await rpc.webhooks.rotateSecret({ id })).secret);
    },
    async remove() {
      await rpc.webhooks.remove({ id });
      announce("Webhook removed.");
    },
  };
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (what: Change) => carryOut[what](),
    onSettled: (_, __, what) => (what === "remove" ? refetchWebhookList() : readAgain()),
  });
  return { change: mutate, isPending, error, reset };
}
