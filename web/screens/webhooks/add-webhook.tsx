import { useId, useState } from "react";
import { eventTitle, webhookUrlLimit } from "#domain/webhook.ts";
import { announce } from "../../lib/announce.ts";
import { rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import { Form, useForm } from "../../ui/form/form.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import classes from "./webhooks.module.css";
import { readAgain } from "./webhooks-query.ts";

type AddWebhookProps = {
  opened: boolean;
  /** The types of events that there are to choose from. */
  events: readonly string[];
  onClose: () => void;
  onAdded: (secret: string) => void;
};

export const AddWebhook = ({ opened, ...props }: AddWebhookProps) => (
  <Dialog opened={opened} onClose={props.onClose} title="Add a webhook" wide>
    {opened && <AddForm {...props} />}
  </Dialog>
);

function AddForm({ events, onClose, onAdded }: Omit<AddWebhookProps, "opened">) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = events.filter((type) => !left.has(type));
  return (
    <div className={dialog.form}>
      <Form
        errorTitle="Webhook not added"
        fields={["url"]}
        check={() => null}
        send={async ({ url }) => {
          const { secret } = await rpc.webhooks.add({ url, events: chosen });
          await readAgain();
          announce("Webhook added.");
          onAdded(secret);
        }}
      >
        <TextField
          name="url"
          label="URL of your server"
          description="It must begin with https:// and be reachable from the internet."
          type="url"
          autoComplete="off"
          maxLength={webhookUrlLimit}
        />
        <EventBoxes
          events={events}
          chosen={chosen}
          onChange={(type, on) =>
            setLeft(on ? left.difference(new Set([type])) : left.union(new Set([type])))
          }
        />
        <DialogActions>
          <Button variant="default" size="md" onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton busyText="Adding...">Add</SubmitButton>
        </DialogActions>
      </Form>
    </div>
  );
}

type EventBoxesProps = {
  events: readonly string[];
  chosen: readonly string[];
  onChange: (type: string, on: boolean) => void;
};

function EventBoxes({ events, chosen, onChange }: EventBoxesProps) {
  const { failure } = useForm();
  const errorId = useId();
  const error = failure?.field === "events" ? failure.message : null;
  return (
    <fieldset className={classes.events} aria-describedby={error ? errorId : undefined}>
      <legend className={classes.legend}>Events</legend>
      {events.map((type) => (
        <label key={type} className={classes.event}>
          <input
            type="checkbox"
            name="events"
            value={type}
            checked={chosen.includes(type)}
            onChange={({ currentTarget }) => onChange(type, currentTarget.checked)}
          />
          <span>
            {eventTitle(type)} <code className={classes.type}>{type}</code>
          </span>
        </label>
      ))}
      {error && (
        <p id={errorId} className={classes.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
