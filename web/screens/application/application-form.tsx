import { useState } from "react";
import {
  applicationLimits,
  applicationProblem,
  intakes,
  studyLevels,
  type ApplicationForm as Typed,
} from "#domain/application.ts";
import { type CountryChoice, countryChoices } from "#domain/country-choice.ts";
import { draftOf, dropDraft, keepDraft } from "../../lib/drafts.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Form } from "../../ui/form/form.tsx";
import { SelectField } from "../../ui/form/select-field.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { TextAreaField } from "../../ui/form/text-area-field.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { CountryBoxes } from "./country-boxes.tsx";

const draftName = "application";
const fields = ["program", "highestStudyLevel", "startDate", "additionalInfo"] as const;
const kept = [...fields, "country"] as const;
const empty = { program: "", highestStudyLevel: "", startDate: "", additionalInfo: "", country: "" };
type Kept = (typeof kept)[number];
const choices = (options: readonly string[]) => [{ value: "", label: "Please select" }, ...options];

/** Whether one was begun and not sent. */
export const isBegun = (): boolean => Object.keys(draftOf<Kept>(draftName)).length > 0;

async function submit(form: Typed) {
  await rpc.applications.submit({ ...form, country: [...form.country] });
  dropDraft(draftName);
  await Promise.all(
    [api.applications.key(), api.students.key()].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
}

/** The application form. What was typed and not sent is still there when it is opened again. */
export function ApplicationForm({ onSubmitted }: { onSubmitted: () => void }) {
  const [draft] = useState(() => ({ ...empty, ...draftOf<Kept>(draftName) }));
  const [country, setCountry] = useState<CountryChoice[]>(() => choicesIn(draft.country));
  const keep = (changes: Partial<Record<Kept, string>>) =>
    keepDraft(draftName, { ...empty, ...draftOf<Kept>(draftName), ...changes }, empty, kept);

  function choose(chosen: CountryChoice[]) {
    setCountry(chosen);
    keep({ country: chosen.join("|") });
  }
  return (
    <Form
      errorTitle="Application Error"
      fields={fields}
      onEdit={keep}
      check={(values) => applicationProblem({ ...values, country })}
      send={async (values) => {
        await submit({ ...values, country });
        onSubmitted();
      }}
    >
      <TextField
        name="program"
        label="Programme"
        placeholder="For example MSc Data Science"
        defaultValue={draft.program}
        maxLength={applicationLimits.program}
      />
      <SelectField
        name="highestStudyLevel"
        label="Highest study level"
        data={choices(studyLevels)}
        defaultValue={draft.highestStudyLevel}
      />
      <CountryBoxes chosen={country} onChoose={choose} />
      <SelectField
        name="startDate"
        label="Start date"
        data={choices(intakes)}
        defaultValue={draft.startDate}
      />
      <TextAreaField
        name="additionalInfo"
        label="Additional information (optional)"
        optional
        defaultValue={draft.additionalInfo}
        maxLength={applicationLimits.additionalInfo}
      />
      <div>
        <SubmitButton busyText="Submitting...">Submit Application</SubmitButton>
      </div>
    </Form>
  );
}

const choicesIn = (text: string): CountryChoice[] =>
  countryChoices.filter((choice) => text.split("|").includes(choice));
