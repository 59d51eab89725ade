import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { countries, countryName } from "#domain/country.ts";
import { awardLabels, type GradeScaleName, gradeScaleNames, gradeScales } from "#domain/qualification.ts";
import { checkQualification, recordLimits } from "#domain/study-record.ts";
import { announce } from "../../lib/announce.ts";
import { rpc } from "../../lib/rpc.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import classes from "./record.module.css";
import {
  qualificationFields,
  type RecordOwner,
  readQualification,
  type ShownQualification,
  subjectFields,
} from "./record-form.ts";

type QualificationDialogProps = {
  opened: boolean;
  owner: RecordOwner;
  /** The qualification that is changed; null for a new one. */
  qualification: ShownQualification | null;
  onSaved: () => Promise<unknown> | void;
  onClose: () => void;
};

/** Enters a qualification with its subjects, or changes one. */
export const QualificationDialog = ({ opened, ...form }: QualificationDialogProps) => (
  <Dialog
    wide
    opened={opened}
    onClose={form.onClose}
    title={form.qualification ? "Change qualification" : "Add a qualification"}
  >
    <QualificationForm {...form} />
  </Dialog>
);

const awardChoices = [
  { value: "", label: "Choose one" },
  ...Object.entries(awardLabels).map(([value, label]) => ({ value, label })),
];
const countryChoices = [
  { value: "", label: "Choose a country" },
  ...countries
    .map((code) => ({ value: code, label: countryName(code) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, "en")),
];
const scaleChoices = gradeScaleNames.map((name) => ({ value: name, label: gradeScales[name].label }));
const isScale = (text: string): text is GradeScaleName => gradeScaleNames.some((name) => name === text);

type SubjectRow = { key: number; subject: string; grade: string };

function QualificationForm({
  owner,
  qualification,
  onSaved,
  onClose,
}: Omit<QualificationDialogProps, "opened">) {
  const [scale, setScale] = useState<GradeScaleName>(qualification?.scale ?? "wassce");
  const [rows, setRows] = useState<readonly SubjectRow[]>(
    () => qualification?.subjects.map((each, key) => ({ key, ...each })) ?? [],
  );
  const add = () => setRows([...rows, { key: (rows.at(-1)?.key ?? -1) + 1, subject: "", grade: "" }]);
  return (
    <ModalForm
      errorTitle="Not saved"
      fields={[...qualificationFields, ...rows.flatMap((_, index) => subjectFields(index))]}
      check={(values) => {
        const form = readQualification(values, rows.length);
        const qualification = "code" in form ? form : checkQualification(form);
        return "code" in qualification ? qualification : null;
      }}
      send={async (values) => {
        const form = readQualification(values, rows.length);
        if ("code" in form) return;
        await rpc.studyRecord.saveQualification({ ...form, id: qualification?.id, studentId: owner?.id });
        announce("Qualification saved.");
        await onSaved();
      }}
      onDone={onClose}
      onCancel={onClose}
      action="Save qualification"
      busyText="Saving..."
    >
      <SelectField
        name="award"
        label="What is it?"
        data={awardChoices}
        defaultValue={qualification?.award ?? ""}
      />
      <div className={classes.pair}>
        <SelectField
          name="country"
          label="Country"
          data={countryChoices}
          defaultValue={qualification?.country ?? ""}
        />
        <TextField
          name="year"
          label="Year"
          inputMode="numeric"
          maxLength={4}
          description="The year in which you got it, or expect it"
          descriptionBelow
          defaultValue={qualification ? String(qualification.year) : ""}
        />
      </div>
      <TextField
        optional
        name="name"
        label="Name on the certificate"
        placeholder="BSc Economics"
        maxLength={recordLimits.name}
        defaultValue={qualification?.name ?? ""}
      />
      <div className={classes.pair}>
        <SelectField
          name="scale"
          label="Scale of its grades"
          data={scaleChoices}
          value={scale}
          onChange={({ currentTarget: { value } }) => isScale(value) && setScale(value)}
        />
        <GradeField
          key={scale}
          name="grade"
          label="Overall grade (optional)"
          scale={scale}
          grade={scale === qualification?.scale ? qualification.grade : ""}
        />
      </div>
      <fieldset className={classes.subjects}>
        <legend>Subjects (optional)</legend>
        {rows.map(({ key, subject, grade }, index) => {
          const [nameField, gradeField] = subjectFields(index);
          return (
            <div key={key} className={classes.subject}>
              <TextField
                optional
                name={nameField}
                label={`Subject ${index + 1}`}
                maxLength={recordLimits.name}
                defaultValue={subject}
              />
              <GradeField
                key={scale}
                name={gradeField}
                label={`Grade of subject ${index + 1}`}
                scale={scale}
                grade={scale === qualification?.scale ? grade : ""}
              />
              <IconButton
                label={`Remove subject ${index + 1}`}
                onClick={() => setRows(rows.filter((row) => row.key !== key))}
              >
                <IconX size={18} stroke={1.6} aria-hidden />
              </IconButton>
            </div>
          );
        })}
        {rows.length < recordLimits.subjects && (
          <Button variant="default" size="compact-md" onClick={add}>
            Add a subject
          </Button>
        )}
      </fieldset>
    </ModalForm>
  );
}

type GradeFieldProps = { name: string; label: string; scale: GradeScaleName; grade: string };

/** A grade of a scale: one of its names, or a number. */
function GradeField({ name, label, scale, grade }: GradeFieldProps) {
  const facts = gradeScales[scale];
  if ("grades" in facts)
    return (
      <SelectField
        name={name}
        label={label}
        required={false}
        data={[{ value: "", label: "Not known" }, ...facts.grades]}
        defaultValue={grade}
      />
    );
  return (
    <TextField
      optional
      name={name}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      maxLength={6}
      description={`From ${facts.least} to ${facts.most}`}
      descriptionBelow
      defaultValue={grade}
    />
  );
}
