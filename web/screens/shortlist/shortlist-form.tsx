import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { shortlistLimits, shortlistProblem } from "#domain/shortlist.ts";
import { draftOf, dropDraft, keepDraft } from "../../lib/drafts.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Form } from "../../ui/form/form.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import classes from "./shortlist-form.module.css";

const fields = ["university", "course", "url"] as const;
const empty = { university: "", course: "", url: "" };

/** Adds a course to a shortlist: the student's own, or the one of `studentId`. */
export function ShortlistForm({ input }: { input: { studentId?: string } }) {
  const draftName = `shortlist ${input.studentId ?? ""}`;
  const [added, setAdded] = useState(0);
  const draft = { ...empty, ...draftOf<keyof typeof empty>(draftName) };
  return (
    <div className={classes.form}>
      <Form
        // Empty again for the next one.
        key={`${draftName} ${added}`}
        errorTitle="Shortlist Error"
        fields={fields}
        onEdit={(typed) => keepDraft(draftName, typed, empty, fields)}
        check={shortlistProblem}
        send={async (values) => {
          await rpc.shortlist.add({ ...input, ...values });
          dropDraft(draftName);
          await queryClient.invalidateQueries({ queryKey: api.shortlist.key() });
          notifications.show({ message: "Item added successfully!" });
          setAdded(added + 1);
        }}
      >
        <div className={classes.row}>
          <TextField
            name="university"
            label="University"
            defaultValue={draft.university}
            maxLength={shortlistLimits.university}
          />
          <TextField
            name="course"
            label="Course"
            defaultValue={draft.course}
            maxLength={shortlistLimits.course}
          />
          <TextField
            name="url"
            label="URL"
            type="url"
            placeholder="https://"
            defaultValue={draft.url}
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
