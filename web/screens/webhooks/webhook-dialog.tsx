import { useState } from "react";
import type { Webhook } from "#contract/webhooks.ts";
import { eventTitle, webhookUrlLimit } from "#domain/webhook.ts";
import { announce } from "../../lib/announce.ts";
import { rpc } from "../../lib/rpc.ts";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import classes from "./webhooks.module.css";
import { readAgain } from "./webhooks-query.ts";

type WebhookDialogProps = {
  opened: boolean;
  /** The types of events to choose from. */
  events: readonly string[];
  onClose: () => void;
};
type AddWebhookProps = WebhookDialogProps & { onAdded: (secret: string) => void };

export const AddWebhook = ({ opened, onAdded, ...props }: AddWebhookProps) => (
  <Dialog opened={opened} onClose={props.onClose} title="Add a webhook" wide>
    <SettingsForm
      {...props}
      initial={{ url: "", events: props.events }}
      errorTitle="Webhook not added"
      action="Add"
      busyText="Adding..."
      send={async (settings) => {
        const { secret } = await rpc.webhooks.add(settings);
        await readAgain();
        announce("Webhook added.");
        onAdded(secret);
      }}
    />
  </Dialog>
);

export const EditWebhook = ({ opened, webhook, ...props }: WebhookDialogProps & { webhook: Webhook }) => (
  <Dialog opened={opened} onClose={props.onClose} title="Edit webhook" wide>
    <SettingsForm
      {...props}
      initial={webhook}
      errorTitle="Webhook not saved"
      action="Save"
      busyText="Saving..."
      send={async (settings) => {
        await rpc.webhooks.change({ id: webhook.id, ...settings });
        await readAgain();
        announce("Webhook saved.");
        props.onClose();
      }}
    />
  </Dialog>
);

type SettingsFormProps = Omit<WebhookDialogProps, "opened"> & {
  initial: { url: string; events: readonly string[] };
  errorTitle: string;
  action: string;
  busyText: string;
  send: (settings: { url: string; events: string[] }) => Promise<void>;
};

function SettingsForm({ events, initial, send, onClose, ...words }: SettingsFormProps) {
  const [types, setTypes] = useState(initial.events);
  return (
    <ModalForm
      fields={["url"]}
      check={() => null}
      send={({ url }) => send({ url, events: events.filter((type) => types.includes(type)) })}
      onCancel={onClose}
      {...words}
    >
      <TextField
        name="url"
        label="URL of your server"
        description="It must begin with https:// and be reachable from the internet."
        type="url"
        autoComplete="off"
        maxLength={webhookUrlLimit}
        defaultValue={initial.url}
      />
      <ChoiceGroup legend="Events" field="events">
        {events.map((type) => (
          <label key={type} className={classes.event}>
            <input
              type="checkbox"
              name="events"
              value={type}
              checked={types.includes(type)}
              onChange={({ currentTarget: { checked } }) =>
                setTypes(checked ? [...types, type] : types.filter((each) => each !== type))
              }
            />
            <span>
              {eventTitle(type)} <code className={classes.type}>{type}</code>
            </span>
          </label>
        ))}
      </ChoiceGroup>
    </ModalForm>
  );
}
