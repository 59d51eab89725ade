import { useState } from "react";
import { SelectField } from "../../ui/form/fields.tsx";
import { useForm } from "../../ui/form/form.tsx";
import classes from "./plan.module.css";

export type ApplicationChoice = { value: string; label: string };

/** Stands for a request or task that is for no application. */
export const forAll = { value: "", label: "None in particular" };

/** The application that the documents are for, and whether it waits for them. */
export function ForApplication({
  applicationId,
  applications,
}: {
  applicationId: string;
  applications: readonly ApplicationChoice[];
}) {
  const { draft } = useForm();
  const [choice, setChoice] = useState(draft["applicationId"] ?? applicationId);
  return (
    <>
      <SelectField
        name="applicationId"
        label="For the application"
        defaultValue={applicationId}
        required={false}
        data={[forAll, ...applications]}
        onChange={({ currentTarget }) => setChoice(currentTarget.value)}
      />
      {choice !== forAll.value && (
        <label className={classes.choice}>
          <input type="checkbox" name="blocks" />
          The application waits for it
        </label>
      )}
    </>
  );
}
