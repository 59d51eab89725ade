import { useState } from "react";
import { shortlistLimits, shortlistProblem } from "#domain/shortlist.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Form } from "../../ui/form/form.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import classes from "./shortlist-form.module.css";

const fields = ["university", "course", "url"] as const;

/** Adds a course to a shortlist: the student's own, or the one of `studentId`. */
export function ShortlistForm({ input }: { input: { studentId?: string } }) {
  const draftName = `shortlist ${input.studentId ?? ""}`;
  const [added, setAdded] = useState(0);
  return (
    <div className={classes.form}>
      <Form
        // Empty again for the next one.
        key={`${draftName} ${added}`}
        errorTitle="Shortlist Error"
        draftName={draftName}
        fields={fields}
        check={shortlistProblem}
        send={async (values) => {
          await rpc.shortlist.add({ ...input, ...values });
          await queryClient.invalidateQueries({ queryKey: api.shortlist.key() });
          announce("Item added successfully!");
        }}
        onDone={() => setAdded(added + 1)}
      >
        <div className={classes.row}>
          <TextField name="university" label="University" maxLength={shortlistLimits.university} />
          <TextField name="course" label="Course" maxLength={shortlistLimits.course} />
          <TextField
            name="url"
            label="URL"
            type="url"
            placeholder="https://"
            maxLength={shortlistLimits.url}
          />
          <div className={classes.submit}>
            <SubmitButton busyText="Adding...">Add Item</SubmitButton>
          </div>
        </div>
      </Form>
    </div>
  );
}
