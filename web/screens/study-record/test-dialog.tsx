import { useState } from "react";
import { calendarDate } from "#domain/calendar-date.ts";
import {
  componentLabel,
  type EnglishTest,
  englishTestFacts,
  englishTests,
  isEnglishTest,
  scoreText,
} from "#domain/english-test.ts";
import { checkTestResult } from "#domain/study-record.ts";
import { announce } from "../../lib/announce.ts";
import { rpc } from "../../lib/rpc.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import classes from "./record.module.css";
import {
  componentField,
  componentFields,
  type RecordOwner,
  readTest,
  type ShownTest,
  testFields,
} from "./record-form.ts";

type TestDialogProps = {
  opened: boolean;
  owner: RecordOwner;
  /** The result that is changed; null for a new one. */
  result: ShownTest | null;
  onSaved: () => Promise<unknown> | void;
  onClose: () => void;
};

/** Enters the result of an English test, or changes one. */
export const TestDialog = ({ opened, ...form }: TestDialogProps) => (
  <Dialog
    wide
    opened={opened}
    onClose={form.onClose}
    title={form.result ? "Change test result" : "Add an English test"}
  >
    <TestForm {...form} />
  </Dialog>
);

const choices = englishTests.map((test) => ({ value: test, label: englishTestFacts[test].label }));

const scaleWords = ({ least, most, step }: { least: number; most: number; step: number }): string =>
  step === 1 ? `From ${least} to ${most}` : `From ${least} to ${most} in steps of ${step}`;

function TestForm({ owner, result, onSaved, onClose }: Omit<TestDialogProps, "opened">) {
  const [test, setTest] = useState<EnglishTest>(result?.test ?? "ieltsAcademic");
  const { components, component, overall } = englishTestFacts[test];
  const scores = result?.test === test ? result : null;
  const text = (score: number | undefined) => (score === undefined ? "" : scoreText(test, score));
  return (
    <ModalForm
      errorTitle="Not saved"
      fields={[...testFields, ...componentFields]}
      check={(values) => {
        const form = readTest(values);
        const result = "code" in form ? form : checkTestResult(form, calendarDate(new Date()));
        return "code" in result ? result : null;
      }}
      send={async (values) => {
        const form = readTest(values);
        if ("code" in form) return;
        await rpc.studyRecord.saveTest({ ...form, id: result?.id, studentId: owner?.id });
        announce("Test result saved.");
        await onSaved();
      }}
      onDone={onClose}
      onCancel={onClose}
      action="Save test"
      busyText="Saving..."
    >
      <SelectField
        name="test"
        label="Test"
        data={choices}
        value={test}
        onChange={({ currentTarget: { value } }) => isEnglishTest(value) && setTest(value)}
      />
      <div className={classes.pair}>
        <TextField name="takenOn" label="Taken on" type="date" defaultValue={result?.takenOn ?? ""} />
        <TextField
          key={test}
          name="overall"
          label="Overall score"
          inputMode="decimal"
          autoComplete="off"
          maxLength={5}
          description={scaleWords(overall)}
          descriptionBelow
          defaultValue={text(scores?.overall)}
        />
      </div>
      <fieldset key={test} className={classes.subjects}>
        <legend>Scores of the parts</legend>
        <p className={classes.hint}>
          Many programmes ask for each part. {scaleWords(component)}; leave out what you don't know.
        </p>
        <div className={classes.parts}>
          {components.map((name) => (
            <TextField
              key={name}
              optional
              name={componentField(name)}
              label={componentLabel(name).replace(/^./, (first) => first.toUpperCase())}
              inputMode="decimal"
              autoComplete="off"
              maxLength={5}
              defaultValue={text(scores?.components[name])}
            />
          ))}
        </div>
      </fieldset>
    </ModalForm>
  );
}
