import { useState } from "react";
import { exportLimits } from "#domain/student-export.ts";
import { numberOfStudents } from "#domain/student-list.ts";
import { download } from "../../lib/download.ts";
import { rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import dialog from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { TextAreaField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import type { StudentIds } from "./choosing.tsx";
import classes from "./tools.module.css";
import { columnsOf, inputOf, type ListView } from "./use-list-view.ts";

type ExportDialogProps = {
  opened: boolean;
  selection: StudentIds | null;
  view: ListView;
  onClose: () => void;
};

/** Exports students as CSV: the chosen ones, or all of the list. */
export const ExportDialog = ({ opened, onClose, ...about }: ExportDialogProps) => (
  <Dialog opened={opened} onClose={onClose} title="Export students">
    <ExportForm {...about} onClose={onClose} />
  </Dialog>
);

function ExportForm({ selection, view, onClose }: Omit<ExportDialogProps, "opened">) {
  const viewer = useViewer();
  const [identity, setIdentity] = useState(false);
  const who = selection ? numberOfStudents(selection.size) : "All students of this list";
  return (
    <ModalForm
      errorTitle="Export Error"
      fields={["purpose"]}
      check={() => null}
      draftName="export students"
      send={async ({ purpose }) => {
        const { url } = await rpc.students.exportLink({
          view: inputOf(view),
          columns: [...columnsOf(view)],
          ...(selection && { studentIds: [...selection] }),
          identity,
          purpose,
        });
        download(url);
      }}
      onDone={onClose}
      onCancel={onClose}
      action="Export"
      busyText="Preparing..."
    >
      <p className={dialog.words}>{who} as a CSV file, with the columns that you see and the agent.</p>
      {viewer?.role === "admin" && (
        <label className={classes.choice}>
          <input
            type="checkbox"
            className={classes.box}
            checked={identity}
            onChange={({ currentTarget }) => setIdentity(currentTarget.checked)}
          />
          With identity details
        </label>
      )}
      {identity && (
        <TextAreaField
          name="purpose"
          label="Purpose"
          description="Each of these students will see it, with your name."
          maxLength={exportLimits.purpose}
        />
      )}
    </ModalForm>
  );
}
