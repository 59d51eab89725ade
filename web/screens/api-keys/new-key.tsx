import { apiKeyLifetimes, apiKeyNameLimit, apiKeyProblem } from "#domain/api-key.ts";
import { type ApiScope, apiScopes, scopesOf } from "#domain/api-scope.ts";
import { rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import classes from "./api-keys.module.css";

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
  const scopesIn = (values: Partial<Record<ApiScope, string>>) =>
    offered.filter((scope) => (values[scope] ?? "") !== "");
  return (
    <Dialog opened={opened} onClose={onClose} title="Create an API key">
      <ModalForm
        errorTitle="Not created"
        fields={["name", "days", ...apiScopes]}
        check={({ name, ...values }) => apiKeyProblem({ name, scopes: scopesIn(values) }, role)}
        send={async ({ name, days, ...values }) => {
          const { key } = await rpc.apiKeys.create({ name, days: daysOf(days), scopes: scopesIn(values) });
          onCreated(key);
        }}
        action="Create"
        busyText="Creating..."
        onCancel={onClose}
      >
        <TextField
          name="name"
          label="Name"
          description="What it's for, such as the program that uses it."
          maxLength={apiKeyNameLimit}
        />
        <SelectField name="days" label="Expires" data={lifetimes} defaultValue="90" required={false} />
        <ScopeChoice scopes={offered} />
      </ModalForm>
    </Dialog>
  );
}

type Feature = ApiScope extends `${infer Name}:${string}` ? Name : never;

const features: Record<Feature, string> = {
  students: "Students",
  applications: "Applications",
  bulkRuns: "Changes of many students",
  savedViews: "Saved views",
  documents: "Documents (no files)",
  conversations: "Messages (no files)",
  invitations: "Invitations",
  offers: "Offers",
  planner: "Requests and tasks",
  shortlist: "Shortlists",
  studyRecord: "Records of qualifications and tests",
  programmes: "Programmes",
  notes: "Staff notes",
  auctions: "Auctions and bids",
  watching: "Watched items and saved searches",
  sales: "Handover of what was sold",
  notifications: "Notifications",
  agents: "Agents",
  accounts: "Accounts",
  catalogue: "Catalogue of programmes",
  duplicates: "Possible duplicates",
  overview: "Overview",
  reports: "Reports",
  tradeReports: "Reports of items and members",
  audit: "Audit log",
  jobs: "Failed jobs",
  retention: "Retention",
};

const kinds = { read: "Read", write: "Change" } as const;

/** The scopes of a key, grouped by feature. */
function ScopeChoice({ scopes }: { scopes: readonly ApiScope[] }) {
  return (
    <ChoiceGroup legend="What it may do" field="scopes">
      {Object.entries(features)
        .filter(([feature]) => scopes.some((scope) => scope.startsWith(`${feature}:`)))
        .map(([feature, label]) => (
          <div key={feature} className={classes.feature}>
            <span>{label}</span>
            <span className={classes.boxes}>
              {Object.entries(kinds)
                .filter(([kind]) => scopes.some((scope) => scope === `${feature}:${kind}`))
                .map(([kind, word]) => (
                  <label key={kind} className={classes.box}>
                    <input type="checkbox" name={`${feature}:${kind}`} aria-label={`${word} ${label}`} />
                    {word}
                  </label>
                ))}
            </span>
          </div>
        ))}
    </ChoiceGroup>
  );
}
