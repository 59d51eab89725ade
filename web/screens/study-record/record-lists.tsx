import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { countryName } from "#domain/country.ts";
import { dayWords } from "#domain/deadline.ts";
import { componentLabel, englishTestFacts, scoreText } from "#domain/english-test.ts";
import { wrong } from "#domain/problem.ts";
import { awardLabels, gradeScales } from "#domain/qualification.ts";
import { recordLimits, workMonthsProblem } from "#domain/study-record.ts";
import { announce } from "../../lib/announce.ts";
import { rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { EnteredBy } from "../../ui/entered-by.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { TextField } from "../../ui/form/fields.tsx";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { QualificationDialog } from "./qualification-dialog.tsx";
import classes from "./record.module.css";
import {
  numberIn,
  type RecordOwner,
  type ShownQualification,
  type ShownRecord,
  type ShownTest,
} from "./record-form.ts";
import { TestDialog } from "./test-dialog.tsx";

const day = (date: string) => dayWords(date, "none");
const titleOf = ({ name, award }: ShownQualification) => name || awardLabels[award];
const titleOfTest = ({ test, overall }: ShownTest) =>
  `${englishTestFacts[test].label} ${scoreText(test, overall)}`;

type OpenForm =
  | { form: "qualification"; entry: ShownQualification | null }
  | { form: "test"; entry: ShownTest | null }
  | null;
type Removal = { id: string; title: string } | null;

type RecordListsProps = {
  record: ShownRecord;
  owner: RecordOwner;
  mayChange: boolean;
  onChanged: () => Promise<unknown> | void;
};

/** A whole record, with the actions to change it for viewers who may. */
export function RecordLists({ record, owner, mayChange, onChanged }: RecordListsProps) {
  const [opened, setOpened] = useState<OpenForm>(null);
  const [removal, setRemoval] = useState<Removal>(null);
  const removing = useMutation({
    mutationFn: ({ id }: { id: string; title: string }) =>
      rpc.studyRecord.remove({ id, studentId: owner?.id }),
    onSuccess: (_, { title }) => announce(`${title} is removed.`),
    onSettled: onChanged,
  });
  const close = () => setOpened(null);
  const actionsFor = (title: string, id: string, change: () => void) =>
    mayChange && (
      <>
        <Button size="compact-md" variant="default" aria-label={`Change ${title}`} onClick={change}>
          Change
        </Button>
        <Button
          size="compact-md"
          variant="default"
          disabled={removing.isPending}
          aria-label={`Remove ${title}`}
          onClick={() => setRemoval({ id, title })}
        >
          Remove
        </Button>
      </>
    );
  const { qualifications, tests, workMonths } = record;
  return (
    <>
      <h3 className={classes.part}>Qualifications</h3>
      {qualifications.length === 0 && <p className={classes.nothing}>No qualifications yet.</p>}
      {qualifications.length > 0 && (
        <ItemList label="Qualifications">
          {qualifications.map((each) => (
            <Item
              key={each.id}
              level={3}
              name={titleOf(each)}
              details={<QualificationFacts qualification={each} />}
              actions={actionsFor(titleOf(each), each.id, () =>
                setOpened({ form: "qualification", entry: each }),
              )}
            />
          ))}
        </ItemList>
      )}
      {mayChange && qualifications.length < recordLimits.qualifications && (
        <Button variant="default" onClick={() => setOpened({ form: "qualification", entry: null })}>
          Add a qualification
        </Button>
      )}
      <h3 className={classes.part}>English tests</h3>
      {tests.length === 0 && <p className={classes.nothing}>No English tests yet.</p>}
      {tests.length > 0 && (
        <ItemList label="English tests">
          {tests.map((each) => (
            <Item
              key={each.id}
              level={3}
              name={titleOfTest(each)}
              details={<TestFacts result={each} />}
              actions={actionsFor(titleOfTest(each), each.id, () => setOpened({ form: "test", entry: each }))}
            />
          ))}
        </ItemList>
      )}
      {mayChange && tests.length < recordLimits.tests && (
        <Button variant="default" onClick={() => setOpened({ form: "test", entry: null })}>
          Add an English test
        </Button>
      )}
      <h3 className={classes.part}>Work</h3>
      {mayChange ? (
        <WorkForm key={workMonths} workMonths={workMonths} owner={owner} onSaved={onChanged} />
      ) : (
        <p className={classes.nothing}>
          {workMonths === null
            ? "Not entered yet."
            : `${workMonths} ${workMonths === 1 ? "month" : "months"}`}
        </p>
      )}
      <QualificationDialog
        opened={opened?.form === "qualification"}
        owner={owner}
        qualification={opened?.form === "qualification" ? opened.entry : null}
        onSaved={onChanged}
        onClose={close}
      />
      <TestDialog
        opened={opened?.form === "test"}
        owner={owner}
        result={opened?.form === "test" ? opened.entry : null}
        onSaved={onChanged}
        onClose={close}
      />
      <ConfirmModal
        question={
          removal && { title: "Remove from the record", text: `Remove ${removal.title}?`, action: "Remove" }
        }
        onConfirm={() => {
          if (removal) removing.mutate(removal);
          setRemoval(null);
        }}
        onCancel={() => setRemoval(null)}
      />
      <ErrorModal title="Not removed" error={removing.error} onClose={removing.reset} />
    </>
  );
}

function QualificationFacts({ qualification }: { qualification: ShownQualification }) {
  const { award, country, year, scale, grade, subjects, enteredBy } = qualification;
  const gradeWords = grade === "" ? "Grade not entered" : `Grade ${grade}`;
  return (
    <>
      <p>
        {awardLabels[award]}, {countryName(country)}, {year}
      </p>
      <p>
        {gradeWords} ({gradeScales[scale].label})
      </p>
      {subjects.length > 0 && (
        <p>
          {subjects
            .map((each) => (each.grade === "" ? each.subject : `${each.subject} ${each.grade}`))
            .join(", ")}
        </p>
      )}
      {enteredBy && (
        <p>
          <EnteredBy by={enteredBy} at={null} />
        </p>
      )}
    </>
  );
}

function TestFacts({ result: { test, takenOn, expires, components, enteredBy } }: { result: ShownTest }) {
  const names = englishTestFacts[test].components;
  const scores = names.flatMap((name) => {
    const score = components[name];
    return score === undefined ? [] : [`${componentLabel(name)} ${scoreText(test, score)}`];
  });
  const unknown = names.filter((name) => components[name] === undefined).map(componentLabel);
  return (
    <>
      <p>
        Taken on {day(takenOn)}. Too old for starts after {day(expires)}.
      </p>
      {scores.length > 0 && <p className={classes.sentence}>{scores.join(", ")}</p>}
      {unknown.length > 0 && <p>Not entered: {unknown.join(", ")}</p>}
      {enteredBy && (
        <p>
          <EnteredBy by={enteredBy} at={null} />
        </p>
      )}
    </>
  );
}

type WorkFormProps = {
  workMonths: number | null;
  owner: RecordOwner;
  onSaved: () => Promise<unknown> | void;
};

function WorkForm({ workMonths, owner, onSaved }: WorkFormProps) {
  const monthsIn = (text: string) => (text.trim() === "" ? null : numberIn(text));
  return (
    <Form
      errorTitle="Not saved"
      fields={["workMonths"]}
      check={(values) => {
        const months = monthsIn(values.workMonths);
        const problem = months === null ? null : workMonthsProblem(months);
        return problem === null ? null : wrong("workMonths", problem);
      }}
      send={async (values) => {
        await rpc.studyRecord.saveWork({ workMonths: monthsIn(values.workMonths), studentId: owner?.id });
        announce("Saved.");
        await onSaved();
      }}
    >
      <div className={classes.work}>
        <TextField
          optional
          name="workMonths"
          label="Months of work experience"
          inputMode="numeric"
          autoComplete="off"
          maxLength={3}
          defaultValue={workMonths === null ? "" : String(workMonths)}
        />
        <SubmitButton busyText="Saving...">Save</SubmitButton>
      </div>
    </Form>
  );
}
