import { apiKeyLifetimes, apiKeyNameLimit, apiKeyProblem } from "#domain/api-key.ts";
import { type ApiScope, apiScopes, scopesOf } from "#domain/api-scope.ts";
import { rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import { Form } from "../../ui/form/form.tsx";
import { SelectField } from "../../ui/form/select-field.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { ScopeChoice } from "./scope-choice.tsx";

const lifetimes = [
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "", label: "Never" },
];

const daysOf = (text: string) => apiKeyLifetimes.find((days) => String(days ?? "") === text) ?? null;

type NewKeyProps = { opened: boolean; onClose: () => void; onCreated: (key: string) => void };

export function NewKey({ opened, onClose, onCreated }: NewKeyProps) {
  const role = useViewer()?.role ?? "student";
  const offered = scopesOf(role);
  const chosen = (values: Partial<Record<ApiScope, string>>) =>
    offered.filter((scope) => (values[scope] ?? "") !== "");
  return (
    <Dialog opened={opened} onClose={onClose} title="Create an API key">
      <div className={dialog.form}>
        <Form
          errorTitle="Not created"
          fields={["name", "days", ...apiScopes]}
          check={({ name, ...values }) => apiKeyProblem({ name, scopes: chosen(values) }, role)}
          send={async ({ name, days, ...values }) => {
            const { key } = await rpc.apiKeys.create({ name, days: daysOf(days), scopes: chosen(values) });
            onCreated(key);
          }}
        >
          <TextField
            name="name"
            label="Name"
            description="What it's for, such as the program that uses it."
            maxLength={apiKeyNameLimit}
          />
          <SelectField name="days" label="Expires" data={lifetimes} defaultValue="90" required={false} />
          <ScopeChoice scopes={offered} />
          <DialogActions>
            <Button variant="default" size="md" onClick={onClose}>
              Cancel
            </Button>
            <SubmitButton busyText="Creating...">Create</SubmitButton>
          </DialogActions>
        </Form>
      </div>
    </Dialog>
  );
}
