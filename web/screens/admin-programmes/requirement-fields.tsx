import { useState } from "react";
import { countries, countryName } from "#domain/country.ts";
import { componentLabel, englishTestFacts, englishTests } from "#domain/english-test.ts";
import {
  awardLabels,
  awards,
  type GradeScaleName,
  gradeScaleNames,
  gradeScales,
} from "#domain/qualification.ts";
import { type Requirement, requirementLimits } from "#domain/requirement.ts";
import { Field, Input, Select } from "../../ui/form/fields.tsx";
import classes from "./programmes.module.css";

type TextProps = { label: string; value: string; onChange: (value: string) => void; inputMode?: "decimal" };

const Text = ({ label, value, onChange, ...input }: TextProps) => (
  <Field label={label}>
    {(control) => (
      <Input
        value={value}
        maxLength={requirementLimits.text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        {...input}
        {...control}
      />
    )}
  </Field>
);

type ChoiceProps<Value extends string> = {
  label: string;
  value: Value;
  options: readonly Value[];
  words: (value: Value) => string;
  onChange: (value: Value) => void;
};

const Choice = <Value extends string>({ label, value, options, words, onChange }: ChoiceProps<Value>) => (
  <Field label={label}>
    {(control) => (
      <Select
        value={value}
        data={options.map((each) => ({ value: each, label: words(each) }))}
        onChange={({ currentTarget }) => {
          const option = options.find((each) => each === currentTarget.value);
          if (option !== undefined) onChange(option);
        }}
        {...control}
      />
    )}
  </Field>
);

const numberIn = (text: string): number | null => (/^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null);

type NumberProps = { label: string; value: number | null; onChange: (value: number | null) => void };

/** A field for a number or nothing. A half-typed number stays as it is until it is valid. */
function NumberField({ label, value, onChange }: NumberProps) {
  const [text, setText] = useState("");
  const content = numberIn(text) === value ? text : value === null ? "" : String(value);
  return (
    <Field label={label}>
      {(control) => (
        <Input
          inputMode="decimal"
          maxLength={6}
          value={content}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            onChange(numberIn(currentTarget.value));
          }}
          {...control}
        />
      )}
    </Field>
  );
}

/** Stands for a number that is still missing, which `requirementProblem` reports. */
const missing = -1;
const presentOrNull = (number: number): number | null => (number === missing ? null : number);

type GradeChoice = { scale: GradeScaleName; grade: string | null };
type GradeFieldsProps = { of: GradeChoice; onChange: (changes: GradeChoice) => void; isNeeded?: boolean };

/** A scale and a grade of it; null for any grade, unless one is needed. */
function GradeFields({ of, onChange, isNeeded = false }: GradeFieldsProps) {
  const scale = gradeScales[of.scale];
  return (
    <div className={classes.pair}>
      <Choice
        label="Scale"
        value={of.scale}
        options={gradeScaleNames}
        words={(name) => gradeScales[name].label}
        onChange={(name) => onChange({ scale: name, grade: null })}
      />
      {"grades" in scale ? (
        <Choice
          label="At least"
          value={of.grade ?? ""}
          options={["", ...scale.grades]}
          words={(grade) => grade || (isNeeded ? "Choose…" : "Any grade")}
          onChange={(grade) => onChange({ scale: of.scale, grade: grade === "" ? null : grade })}
        />
      ) : (
        <Text
          label={isNeeded ? "At least" : "At least (empty for any)"}
          inputMode="decimal"
          value={of.grade ?? ""}
          onChange={(grade) =>
            onChange({ scale: of.scale, grade: grade.trim() === "" ? null : grade.trim() })
          }
        />
      )}
    </div>
  );
}

type FieldsProps<Of extends Requirement> = { requirement: Of; onChange: (requirement: Requirement) => void };

function EnglishFields({
  requirement: own,
  onChange,
}: FieldsProps<Extract<Requirement, { kind: "english" }>>) {
  const setPart = (part: string, score: number | null) => {
    const { [part]: _, ...others } = own.components;
    onChange({ ...own, components: score === null ? others : { ...others, [part]: score } });
  };
  return (
    <>
      <Choice
        label="English test"
        value={own.test}
        options={englishTests}
        words={(test) => englishTestFacts[test].label}
        onChange={(test) => onChange({ ...own, test, components: {} })}
      />
      <div className={classes.pair}>
        <NumberField
          label="Overall"
          value={presentOrNull(own.overall)}
          onChange={(overall) => onChange({ ...own, overall: overall ?? missing })}
        />
        <NumberField
          label="At most how many years old"
          value={presentOrNull(own.years)}
          onChange={(years) => onChange({ ...own, years: years ?? missing })}
        />
        {englishTestFacts[own.test].components.map((part) => (
          <NumberField
            key={`${own.test} ${part}`}
            label={`At least in ${componentLabel(part)} (empty for any)`}
            value={own.components[part] ?? null}
            onChange={(score) => setPart(part, score)}
          />
        ))}
      </div>
    </>
  );
}

/** The fields of one requirement, by its kind. */
export function RequirementFields({ requirement: own, onChange }: FieldsProps<Requirement>) {
  switch (own.kind) {
    case "qualification":
      return (
        <>
          <div className={classes.pair}>
            <Choice
              label="Qualification"
              value={own.award}
              options={awards}
              words={(award) => awardLabels[award]}
              onChange={(award) => onChange({ ...own, award })}
            />
            <Choice
              label="From"
              value={own.country ?? ""}
              options={["", ...countries]}
              words={(code) => (code === "" ? "Any country" : countryName(code))}
              onChange={(code) => onChange({ ...own, country: code === "" ? null : code })}
            />
          </div>
          <GradeFields of={own} onChange={(grade) => onChange({ ...own, ...grade })} />
        </>
      );
    case "english":
      return <EnglishFields requirement={own} onChange={onChange} />;
    case "subject":
      return (
        <>
          <Text label="Subject" value={own.subject} onChange={(subject) => onChange({ ...own, subject })} />
          <GradeFields of={own} onChange={(grade) => onChange({ ...own, ...grade })} />
        </>
      );
    case "subjects":
      return (
        <>
          <NumberField
            label="At least so many subjects"
            value={presentOrNull(own.least)}
            onChange={(least) => onChange({ ...own, least: least ?? missing })}
          />
          <GradeFields
            isNeeded
            of={own}
            onChange={({ scale, grade }) => onChange({ ...own, scale, grade: grade ?? "" })}
          />
        </>
      );
    case "age":
      return (
        <div className={classes.pair}>
          <NumberField
            label="At least (years)"
            value={own.least}
            onChange={(least) => onChange({ ...own, least })}
          />
          <NumberField
            label="At most (years)"
            value={own.most}
            onChange={(most) => onChange({ ...own, most })}
          />
        </div>
      );
    case "gap":
      return (
        <NumberField
          label="At most years since the last qualification"
          value={presentOrNull(own.mostYears)}
          onChange={(years) => onChange({ ...own, mostYears: years ?? missing })}
        />
      );
    case "work":
      return (
        <div className={classes.pair}>
          <NumberField
            label="Months of work"
            value={presentOrNull(own.leastMonths)}
            onChange={(months) => onChange({ ...own, leastMonths: months ?? missing })}
          />
          <Text
            label="In (empty for any)"
            value={own.field}
            onChange={(field) => onChange({ ...own, field })}
          />
        </div>
      );
    case "text":
      return (
        <Text label="What a person reads" value={own.text} onChange={(text) => onChange({ ...own, text })} />
      );
  }
}
