import { useState } from "react";
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
  const [unchecked, setUnchecked] = useState<ReadonlySet<string>>(new Set());
  const chosen = events.filter((type) => !unchecked.has(type));
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
          <SubmitButton busyText="Adding...">Add</SubmitButton>
        </DialogActions>
      </Form>
    </div>
  );
}
