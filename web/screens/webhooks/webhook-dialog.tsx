import { useState } from "react";
import type { Webhook } from "#contract/webhooks.ts";
import { eventTitle, webhookUrlLimit } from "#domain/webhook.ts";
import { announce } from "../../lib/announce.ts";
import { rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import { Form } from "../../ui/form/form.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import classes from "./webhooks.module.css";
import { readAgain } from "./webhooks-query.ts";

type WebhookDialogProps = {
  opened: boolean;
  /** The types of events that there are to choose from. */
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

type Settings = { url: string; events: string[] };
type SettingsFormProps = Omit<WebhookDialogProps, "opened"> & {
  initial: { url: string; events: readonly string[] };
  errorTitle: string;
  action: string;
  busyText: string;
  send: (settings: Settings) => Promise<void>;
};

function SettingsForm({ events, onClose, initial, errorTitle, action, busyText, send }: SettingsFormProps) {
  const [unchecked, setUnchecked] = useState<ReadonlySet<string>>(
    new Set(events).difference(new Set(initial.events)),
  );
  const chosen = events.filter((type) => !unchecked.has(type));
  return (
    <div className={dialog.form}>
      <Form
        errorTitle={errorTitle}
        fields={["url"]}
        check={() => null}
        send={({ url }) => send({ url, events: chosen })}
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
                checked={chosen.includes(type)}
                onChange={({ currentTarget: { checked } }) =>
                  setUnchecked(
                    checked ? unchecked.difference(new Set([type])) : unchecked.union(new Set([type])),
                  )
                }
              />
              <span>
                {eventTitle(type)} <code className={classes.type}>{type}</code>
              </span>
            </label>
          ))}
        </ChoiceGroup>
        <DialogActions>
          <Button variant="default" size="md" onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton busyText={busyText}>{action}</SubmitButton>
        </DialogActions>
      </Form>
    </div>
  );
}
