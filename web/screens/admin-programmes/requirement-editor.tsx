import {
  type Requirement,
  type RequirementKind,
  type RequirementSet,
  requirementKinds,
  requirementLabels,
  requirementLimits,
  requirementProblem,
  requirementWords,
} from "#domain/requirement.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Select } from "../../ui/form/fields.tsx";
import classes from "./programmes.module.css";
import { RequirementFields } from "./requirement-fields.tsx";

const blank: Record<RequirementKind, Requirement> = {
  qualification: { kind: "qualification", country: null, award: "secondary", scale: "percent", grade: null },
  english: { kind: "english", test: "ieltsAcademic", overall: 6.5, components: {}, years: 2 },
  subject: { kind: "subject", subject: "", scale: "percent", grade: null },
  subjects: { kind: "subjects", least: 3, scale: "aLevel", grade: "B" },
  age: { kind: "age", least: 18, most: null },
  gap: { kind: "gap", mostYears: 5 },
  work: { kind: "work", leastMonths: 12, field: "" },
  text: { kind: "text", text: "" },
};

/** Pairs elements with their index, which is all that identifies ways in and requirements. */
const withIndex = <Each,>(all: readonly Each[]) => all.map((each, at) => ({ each, at }));

type SetsProps = { sets: readonly RequirementSet[]; onChange: (sets: readonly RequirementSet[]) => void };

const replaced = <Each,>(all: readonly Each[], at: number, each: Each): Each[] => all.with(at, each);
const without = <Each,>(all: readonly Each[], at: number): Each[] => all.toSpliced(at, 1);

/** The ways into a programme, each with a preview for students. */
export function RequirementSets({ sets, onChange }: SetsProps) {
  return (
    <>
      {withIndex(sets).map(({ each: set, at }) => (
        <SetEditor
          key={at}
          number={at + 1}
          set={set}
          onChange={(set) => onChange(replaced(sets, at, set))}
          onRemove={() => onChange(without(sets, at))}
        />
      ))}
      {sets.length < requirementLimits.sets && (
        <div className={classes.acts}>
          <Button variant="default" onClick={() => onChange([...sets, []])}>
            {sets.length === 0 ? "Add requirements" : "Add another way in"}
          </Button>
        </div>
      )}
    </>
  );
}

type SetProps = {
  number: number;
  set: RequirementSet;
  onChange: (set: RequirementSet) => void;
  onRemove: () => void;
};

function SetEditor({ number, set, onChange, onRemove }: SetProps) {
  return (
    <fieldset className={classes.set}>
      <legend>Way in {number}: all of this</legend>
      {withIndex(set).map(({ each: requirement, at }) => (
        <div key={at} className={classes.requirement}>
          <RequirementFields
            requirement={requirement}
            onChange={(requirement) => onChange(replaced(set, at, requirement))}
          />
          <div className={classes.acts}>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Remove requirement ${at + 1} of way in ${number}`}
              onClick={() => onChange(without(set, at))}
            >
              Remove
            </Button>
          </div>
        </div>
      ))}
      {set.length > 0 && (
        <section aria-label={`What a student reads of way in ${number}`}>
          <p className={classes.small}>A student reads:</p>
          <ul className={classes.preview}>
            {withIndex(set).map(({ each: requirement, at }) => (
              <li key={at}>{requirementProblem(requirement) ?? requirementWords(requirement)}</li>
            ))}
          </ul>
        </section>
      )}
      <div className={classes.acts}>
        {set.length < requirementLimits.perSet && (
          <Field label="Add a requirement">
            {(control) => (
              <Select
                value=""
                data={[
                  { value: "", label: "Choose…" },
                  ...requirementKinds.map((kind) => ({ value: kind, label: requirementLabels[kind] })),
                ]}
                onChange={({ currentTarget: { value } }) => {
                  const kind = requirementKinds.find((each) => each === value);
                  if (kind) onChange([...set, blank[kind]]);
                }}
                {...control}
              />
            )}
          </Field>
        )}
        <Button size="compact-md" variant="subtle" onClick={onRemove}>
          Remove way in {number}
        </Button>
      </div>
    </fieldset>
  );
}
