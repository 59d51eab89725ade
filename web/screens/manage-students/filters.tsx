import { useState } from "react";
import { type StudentFacet, studentFacetNames, studentFacets } from "#domain/student-list.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select } from "../../ui/form/fields.tsx";
import { AgentPicker } from "./agent-picker.tsx";
import classes from "./filters.module.css";
import { isFiltered, type ListView, noFacets } from "./use-list-view.ts";

type FiltersProps = {
  view: ListView;
  /** The name of the agent whose students are shown, once it is known. */
  agentName: string | null;
  onChange: (changes: Partial<ListView>) => void;
};

/** Every filter that has choices, and the agent. */
export function Filters({ view, agentName, onChange }: FiltersProps) {
  const [isOpen, setOpen] = useState<boolean | null>(null);
  const count = [...studentFacetNames, "agentId" as const].filter((name) => view[name] !== null).length;
  // Opens automatically once, so that it doesn't close while its filters are being cleared.
  if (isOpen === null && count > 0) setOpen(true);
  return (
    <details
      className={classes.filters}
      open={isOpen ?? false}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className={classes.summary}>
        Filters{count > 0 && <span className={classes.number}> · {count} chosen</span>}
      </summary>
      <div className={classes.grid}>
        {studentFacetNames.map((facet) => (
          <Facet key={facet} facet={facet} view={view} onChange={onChange} />
        ))}
        <AgentFilter view={view} agentName={agentName} onChange={onChange} />
        {isFiltered(view) && (
          <div className={classes.clear}>
            <Button
              variant="subtle"
              size="compact-md"
              onClick={() => onChange({ ...noFacets, student: null })}
            >
              Clear filters
            </Button>
          </div>
        )}
      </div>
    </details>
  );
}

function Facet({ facet, view, onChange }: Omit<FiltersProps, "agentName"> & { facet: StudentFacet }) {
  const { label, any, choices } = studentFacets[facet];
  const options = Object.entries(choices).map(([value, words]) => ({ value, label: words }));
  return (
    <Field label={label}>
      {(control) => (
        <Select
          value={view[facet] ?? ""}
          data={[{ value: "", label: any }, ...options]}
          onChange={({ currentTarget: { value } }) => onChange({ [facet]: value || null, student: null })}
          {...control}
        />
      )}
    </Field>
  );
}

function AgentFilter({ view, agentName, onChange }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const choose = (agentId: string | null) => {
    setOpen(false);
    onChange({ agentId, student: null });
  };
  return (
    <div className={classes.agent}>
      <span className={classes.label}>Agent</span>
      <Button variant="default" size="md" fullWidth aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {view.agentId === null ? "Any agent" : (agentName ?? "One agent")}
      </Button>
      <Dialog wide opened={isOpen} onClose={() => setOpen(false)} title="Students of an agent">
        <AgentPicker
          busy={false}
          verbs={{ choose: "Show", current: "Shown now" }}
          currentId={view.agentId}
          onChoose={({ id }) => choose(id)}
        />
        {view.agentId !== null && (
          <Button variant="default" spaced onClick={() => choose(null)}>
            Any agent
          </Button>
        )}
      </Dialog>
    </div>
  );
}
