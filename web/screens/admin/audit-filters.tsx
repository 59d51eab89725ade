import { type AuditAction, auditActions, auditPersonLimit, isAuditAction } from "#domain/audit.ts";
import { Input } from "../../ui/form/controls.tsx";
import { Field } from "../../ui/form/field.tsx";
import { ChoiceFilter } from "./choice-filter.tsx";
import classes from "./filters.module.css";
import { TextFilter } from "./text-filter.tsx";
import type { AuditView } from "./use-audit-view.ts";

type AuditFiltersProps = { view: AuditView; onChange: (changes: Partial<AuditView>) => void };

const byName = (a: AuditAction, b: AuditAction) => auditActions[a].localeCompare(auditActions[b], "en");
const actions = Object.keys(auditActions).filter(isAuditAction).toSorted(byName);

/** What stands above the log: which action, whose, about whom, and when. */
export function AuditFilters({ view, onChange }: AuditFiltersProps) {
  const person = { placeholder: "Email or account id", maxLength: auditPersonLimit };
  return (
    <search className={classes.filters}>
      <div className={classes.wide}>
        <ChoiceFilter
          label="Action"
          all="All actions"
          labels={auditActions}
          options={actions}
          value={view.action}
          onChange={(action) => onChange({ action })}
        />
      </div>
      <div className={classes.wide}>
        <TextFilter label="Who" value={view.who} onChange={(who) => onChange({ who })} {...person} />
      </div>
      <div className={classes.wide}>
        <TextFilter label="Whom" value={view.whom} onChange={(whom) => onChange({ whom })} {...person} />
      </div>
      <Day label="From" value={view.from} onChange={(from) => onChange({ from })} />
      <Day label="To" value={view.to} onChange={(to) => onChange({ to })} />
    </search>
  );
}

type DayProps = { label: string; value: string; onChange: (day: string) => void };

const Day = ({ label, value, onChange }: DayProps) => (
  <Field label={label}>
    {(control) => (
      <Input
        type="date"
        // Else a year that is still being typed is one with five digits.
        max="2999-12-31"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        {...control}
      />
    )}
  </Field>
);
