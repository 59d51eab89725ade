import { useState } from "react";
import {
  applicationLimits,
  type CountryChoice,
  chooseCountry,
  countryChoices,
  intakes,
  intakeYears,
  studyLevels,
} from "#domain/application.ts";
import { applicationProblem } from "#domain/application-check.ts";
import { countryName } from "#domain/country.ts";
import { draftOf, keepDraft } from "../../lib/drafts.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { SelectField, TextAreaField, TextField } from "../../ui/form/fields.tsx";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { UniversityField } from "../../ui/form/university-field.tsx";
import classes from "./application-form.module.css";
import { countriesDraft, draftName, dropApplication, dropOrigin, originOf } from "./origin.ts";

const choices = (options: readonly string[]) => [{ value: "", label: "Please select" }, ...options];

const yearChoices = () => [
  { value: "", label: "Not sure yet" },
  ...intakeYears(new Date()).map((year) => ({ value: String(year), label: String(year) })),
];

/** Fills the form with the known parts of a new application, replacing typed text. */
export function prefill(application: { program: string; university: string }): void {
  dropOrigin();
  keepDraft(
    draftName,
    { ...application, program: application.program.slice(0, applicationLimits.program) },
    {},
    ["program", "university"],
  );
}

function keptCountries(): CountryChoice[] {
  const countries = draftOf<"country">(countriesDraft).country?.split("|") ?? [];
  return countryChoices.filter((choice) => countries.includes(choice));
}

/** The application form. It keeps its unsent texts when closed. */
export function ApplicationForm({ onSubmitted }: { onSubmitted: () => void }) {
  const [country, setCountry] = useState(keptCountries);

  function choose(clicked: CountryChoice) {
    const countries = chooseCountry(country, clicked);
    setCountry(countries);
    keepDraft(countriesDraft, { country: countries.join("|") }, {}, ["country"]);
  }
  return (
    <Form
      errorTitle="Application Error"
      draftName={draftName}
      fields={["program", "highestStudyLevel", "startDate", "university", "year", "additionalInfo"]}
      check={(values) => applicationProblem({ ...values, country })}
      send={async (values) => {
        const { programmeId, intakeId } = originOf() ?? {};
        await rpc.applications.submit({
          ...values,
          country,
          ...(programmeId && { programmeId }),
          ...(intakeId && { intakeId }),
        });
        await Promise.all(
          [api.applications.key(), api.students.key()].map((queryKey) =>
            queryClient.invalidateQueries({ queryKey }),
          ),
        );
      }}
      onDone={() => {
        dropApplication();
        onSubmitted();
      }}
    >
      <TextField
        name="program"
        label="Programme"
        placeholder="For example MSc Data Science"
        maxLength={applicationLimits.program}
      />
      <SelectField name="highestStudyLevel" label="Highest study level" data={choices(studyLevels)} />
      <ChoiceGroup legend="Countries" field="country">
        <div className={classes.choices}>
          {countryChoices.map((choice) => (
            <label key={choice} className={classes.choice}>
              <input
                type="checkbox"
                name="country"
                value={choice}
                checked={country.includes(choice)}
                onChange={() => choose(choice)}
              />
              {countryName(choice)}
            </label>
          ))}
        </div>
      </ChoiceGroup>
      <SelectField name="startDate" label="Start date" data={choices(intakes)} />
      <SelectField name="year" label="Year (optional)" required={false} data={yearChoices()} />
      <UniversityField
        name="university"
        label="University (optional)"
        optional
        maxLength={applicationLimits.university}
      />
      <TextAreaField
        name="additionalInfo"
        label="Additional information (optional)"
        optional
        maxLength={applicationLimits.additionalInfo}
      />
      <div>
        <SubmitButton busyText="Submitting...">Submit Application</SubmitButton>
      </div>
    </Form>
  );
}
