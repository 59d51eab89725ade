import { useRef, useState } from "react";
import { studyLevels } from "#domain/application.ts";
import { calendarDate } from "#domain/calendar-date.ts";
import { messageOf } from "#domain/error-catalogue.ts";
import { wrong } from "#domain/problem.ts";
import {
  type InstitutionEntry,
  type ProgrammeEntry,
  programmeLimits,
  studyFieldLabels,
  studyFields,
  studyModeLabels,
  studyModes,
  teachingLanguageLabels,
  teachingLanguages,
} from "#domain/programme.ts";
import { readFees, readIntakes } from "#domain/programme-cells.ts";
import { checkProgramme } from "#domain/programme-check.ts";
import type { RequirementSet } from "#domain/requirement.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/form/fields.tsx";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { EditInstitution } from "./edit-institution.tsx";
import {
  InstitutionField,
  institutionLabel,
  institutionMissing,
  useInstitutions,
} from "./institution-field.tsx";
import { LineFields } from "./line-fields.tsx";
import classes from "./programmes.module.css";
import { RequirementSets } from "./requirement-editor.tsx";

export type StoredEntry = Awaited<ReturnType<typeof rpc.catalogue.read>>;

const fields = [
  "institution",
  "title",
  "level",
  "field",
  "award",
  "months",
  "mode",
  "language",
  "url",
  "checkedOn",
  "source",
  "sourceId",
  "intakes",
  "deadlines",
  "fees",
] as const;
type Values = Record<(typeof fields)[number], string>;

const optionsOf = <Value extends string>(values: readonly Value[], labels: Readonly<Record<Value, string>>) =>
  values.map((value) => ({ value, label: labels[value] }));
/** Returns the name of a programme's draft. */
export const draftNameOf = (id: string) => `programme ${id}`;

/** Turns the lines of a field into a cell of an import file, which separates its entries by semicolons. */
const cell = (lines: string): string => lines.replaceAll("\n", "; ");
const among = <Value extends string>(values: readonly Value[], text: string): Value =>
  values.find((value) => value === text) ?? (values[0] as Value);

/** Returns the entry in the form, or a problem that names its field. */
function entryIn(values: Values, sets: readonly RequirementSet[], sample: boolean) {
  const intakes = readIntakes(cell(values.intakes), cell(values.deadlines));
  if ("problem" in intakes)
    return wrong(intakes.problem.startsWith("Deadlines") ? "deadlines" : "intakes", intakes.problem);
  const fees = readFees(cell(values.fees));
  if ("problem" in fees) return wrong("fees", fees.problem);
  if (!/^\d{0,3}$/.test(values.months.trim()))
    return wrong("months", "Please enter months as a whole number.");
  const entry: ProgrammeEntry = {
    title: values.title,
    level: among(studyLevels, values.level),
    field: among(studyFields, values.field),
    award: values.award,
    months: values.months.trim() === "" ? null : Number(values.months),
    mode: among(studyModes, values.mode),
    language: among(teachingLanguages, values.language),
    url: values.url,
    checkedOn: values.checkedOn,
    source: values.source,
    sourceId: values.sourceId.trim() === "" ? null : values.sourceId,
    sample,
    intakes,
    fees,
    requirementSets: sets,
  };
  return checkProgramme(entry, calendarDate(new Date()));
}

type ProgrammeFormProps = {
  /** Null for a new programme. */
  stored: StoredEntry | null;
  onSaved: (id: string) => void | Promise<void>;
  onConflict?: () => void;
};

const mutable = (entry: ProgrammeEntry) => ({
  ...entry,
  intakes: entry.intakes.map((intake) => ({ ...intake, deadlines: [...intake.deadlines] })),
  fees: [...entry.fees],
  requirementSets: entry.requirementSets.map((set) => [...set]),
});

const isConflict = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "failed-precondition";

/** All that staff enter about a programme. Typed text stays until it is saved, even after a conflict. */
export function ProgrammeForm({ stored, onSaved, onConflict }: ProgrammeFormProps) {
  const entry = stored?.entry;
  const [sets, setSets] = useState<readonly RequirementSet[]>(entry?.requirementSets ?? []);
  const [today] = useState(() => calendarDate(new Date()));
  const { institutions, onType, named } = useInstitutions({ first: stored?.institution });
  const [addingInstitution, setAddingInstitution] = useState(false);
  const institutionInput = useRef<HTMLInputElement>(null);
  function chooseInstitution(institution: InstitutionEntry) {
    if (!institutionInput.current) return;
    institutionInput.current.value = institutionLabel(institution);
    // Makes the form keep the value as if it were typed.
    institutionInput.current.dispatchEvent(new Event("input", { bubbles: true }));
  }

  async function send(values: Values) {
    const form = entryIn(values, sets, entry?.sample ?? false);
    const institution = named(values.institution);
    if ("code" in form || !institution) return false;
    try {
      const { id } = await rpc.catalogue.save({
        id: stored?.id ?? null,
        version: stored?.version ?? 0,
        institutionId: institution.id,
        entry: mutable(form),
      });
      announce("Programme saved.");
      await queryClient.invalidateQueries({ queryKey: api.catalogue.list.key() });
      await onSaved(id);
      return true;
    } catch (error) {
      if (isConflict(error)) onConflict?.();
      throw error;
    }
  }

  return (
    <div className={classes.form}>
      <Form
        errorTitle="Not Saved"
        draftName={draftNameOf(stored?.id ?? "new")}
        fields={fields}
        onEdit={({ institution }) => onType(institution)}
        check={(values) => {
          if (!named(values.institution)) return institutionMissing("institution");
          const form = entryIn(values, sets, false);
          return "code" in form ? { ...form, message: form.message || messageOf[form.code] } : null;
        }}
        send={send}
      >
        <InstitutionField
          ref={institutionInput}
          name="institution"
          label="Institution"
          institutions={institutions}
          defaultValue={stored ? institutionLabel(stored.institution) : ""}
        />
        <div className={classes.below}>
          <Button
            size="compact-md"
            variant="subtle"
            aria-haspopup="dialog"
            onClick={() => setAddingInstitution(true)}
          >
            Add an institution
          </Button>
        </div>
        <TextField name="title" label="Title" maxLength={programmeLimits.title} defaultValue={entry?.title} />
        <div className={classes.pair}>
          <SelectField
            name="level"
            label="Level"
            defaultValue={entry?.level}
            data={studyLevels.map((level) => ({ value: level, label: level }))}
          />
          <SelectField
            name="field"
            label="Field"
            defaultValue={entry?.field}
            data={optionsOf(studyFields, studyFieldLabels)}
          />
          <TextField
            optional
            name="award"
            label="Award (optional)"
            maxLength={programmeLimits.award}
            defaultValue={entry?.award}
          />
          <TextField
            optional
            name="months"
            label="Months (optional)"
            inputMode="numeric"
            maxLength={3}
            defaultValue={entry?.months === null ? "" : entry?.months}
          />
          <SelectField
            name="mode"
            label="Mode"
            defaultValue={entry?.mode}
            data={optionsOf(studyModes, studyModeLabels)}
          />
          <SelectField
            name="language"
            label="Language"
            defaultValue={entry?.language}
            data={optionsOf(teachingLanguages, teachingLanguageLabels)}
          />
        </div>
        <TextField
          name="url"
          label="Web address"
          inputMode="url"
          maxLength={programmeLimits.url}
          defaultValue={entry?.url}
        />
        <div className={classes.pair}>
          <TextField
            name="checkedOn"
            type="date"
            label="Checked on"
            defaultValue={entry?.checkedOn ?? today}
          />
          <TextField
            name="source"
            label="Source"
            maxLength={programmeLimits.source}
            defaultValue={entry?.source}
          />
        </div>
        <TextField
          optional
          name="sourceId"
          label="Id at the source (optional)"
          maxLength={programmeLimits.sourceId}
          defaultValue={entry?.sourceId ?? ""}
          description="Only needed so that an import finds the programme again."
        />
        <LineFields entry={entry} />
        <h2 className={classes.heading}>Requirements</h2>
        <RequirementSets sets={sets} onChange={setSets} />
        <div className={classes.links}>
          <SubmitButton busyText="Saving...">Save the programme</SubmitButton>
        </div>
      </Form>
      <EditInstitution
        of={addingInstitution ? "new" : null}
        onClose={() => setAddingInstitution(false)}
        onSaved={chooseInstitution}
      />
    </div>
  );
}
