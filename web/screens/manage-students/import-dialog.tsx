import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { useNavigate } from "react-router";
import { exportLimits } from "#domain/student-export.ts";
import { bulkRunPath } from "#protocol/addresses.ts";
import { readCsv } from "#protocol/read-csv.ts";
import { CataloguedError } from "../../lib/request.ts";
import { uploadFile } from "../../lib/upload-queue.ts";
import { Button } from "../../ui/button.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Field, Select } from "../../ui/form/fields.tsx";
import classes from "./tools.module.css";

/** Headings of our own files, which need no choice. */
const usual = { id: "Id", email: "Email", agent: "Agent email" } as const;
type Column = keyof typeof usual;
const labels: Record<Column, string> = {
  id: "Student's id",
  email: "Student's email",
  agent: "Agent's email",
};

type ChosenFile = { file: File; headings: readonly string[]; rows: number; columns: Record<Column, string> };

const unreadable = (message: string) => Object.assign(new Error(message), { code: "form/incomplete" });

/** Reads the headings. What is wrong with the file as a whole is said at once. */
async function opened(file: File): Promise<ChosenFile> {
  if (file.size > exportLimits.importBytes) throw unreadable("The file is larger than 2 MB.");
  const table = readCsv(await file.text());
  if (table.kind === "problem") throw unreadable(`Row ${table.row}: ${table.message}`);
  const named = (heading: string) =>
    table.headings.find((each) => each.toLowerCase() === heading.toLowerCase()) ?? "";
  const columns = { id: named(usual.id), email: named(usual.email), agent: named(usual.agent) };
  return { file, headings: table.headings, rows: table.rows.length, columns };
}

const template = `data:text/csv;charset=utf-8,${encodeURIComponent("Email,Agent email\r\nada@example.org,kofi@example.org\r\n")}`;

/** Brings agents of students in from a CSV file. Nothing changes before the preview is confirmed. */
export const ImportDialog = ({ opened: isOpen, onClose }: { opened: boolean; onClose: () => void }) => (
  <Dialog opened={isOpen} onClose={onClose} title="Import a CSV file">
    <ImportForm onClose={onClose} />
  </Dialog>
);

function ImportForm({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const inputId = useId();
  const [overwrite, setOverwrite] = useState(false);
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const opening = useMutation({ mutationFn: opened, onSuccess: setChosen });
  const sending = useMutation({
    async mutationFn({ file, columns }: ChosenFile) {
      const named = Object.entries(columns).filter(([, heading]) => heading !== "");
      const query = new URLSearchParams([...named, ...(overwrite ? [["overwrite", "yes"]] : [])]);
      const { id }: { id?: unknown } = Object(
        await uploadFile(`/files/student-imports?${query.toString()}`, file, () => {}),
      );
      if (typeof id !== "string") throw new CataloguedError("unavailable");
      return { id };
    },
    onSuccess: ({ id }) => navigate(bulkRunPath(id)),
  });
  const error = opening.error ?? sending.error;
  const isReady =
    chosen !== null && chosen.columns.agent !== "" && (chosen.columns.id || chosen.columns.email);
  return (
    <>
      <p className={dialog.words}>
        Assigns students to agents from a file, such as one that you exported and changed. Empty cells and
        missing columns leave students as they are.{" "}
        <a href={template} download="students-template.csv">
          Download a template
        </a>
      </p>
      <label className={classes.file} htmlFor={inputId}>
        CSV file
      </label>
      <input
        id={inputId}
        type="file"
        accept=".csv,text/csv"
        onChange={({ currentTarget: { files } }) => {
          const [file] = files ?? [];
          if (file) opening.mutate(file);
        }}
      />
      {chosen && (
        <Columns chosen={chosen} onChange={(columns) => setChosen({ ...chosen, columns })}>
          <label className={classes.choice}>
            <input
              type="checkbox"
              className={classes.box}
              checked={overwrite}
              onChange={({ currentTarget }) => setOverwrite(currentTarget.checked)}
            />
            Also change students who have an agent already
          </label>
        </Columns>
      )}
      <DialogActions>
        <Button variant="default" size="md" onClick={onClose}>
          Cancel
        </Button>
        <Button
          size="md"
          disabled={!isReady || sending.isPending}
          onClick={() => chosen && sending.mutate(chosen)}
        >
          {sending.isPending ? "Reading..." : "Preview"}
        </Button>
      </DialogActions>
      <ErrorModal
        title="Import Error"
        error={error}
        onClose={() => void [opening.reset(), sending.reset()]}
      />
    </>
  );
}

type ColumnsProps = {
  chosen: ChosenFile;
  onChange: (columns: ChosenFile["columns"]) => void;
  children: ReactNode;
};

/** Says which of the file's columns is what. */
const Columns = ({ chosen: { headings, rows, columns }, onChange, children }: ColumnsProps) => (
  <div className={classes.columns}>
    <p className={dialog.aside}>{rows === 1 ? "1 row" : `${rows} rows`}. Which column is what?</p>
    {(["id", "email", "agent"] as const).map((column) => (
      <Field key={column} label={labels[column]}>
        {(control) => (
          <Select
            value={columns[column]}
            data={[{ value: "", label: "Not in this file" }, ...headings.filter(Boolean)]}
            onChange={({ currentTarget: { value } }) => onChange({ ...columns, [column]: value })}
            {...control}
          />
        )}
      </Field>
    ))}
    {children}
  </div>
);
