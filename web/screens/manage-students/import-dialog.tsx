import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { exportLimits } from "#domain/student-export.ts";
import { readCsv } from "#protocol/read-csv.ts";
import { CataloguedError } from "../../lib/request.ts";
import { uploadFile } from "../../lib/upload-queue.ts";
import { Button } from "../../ui/button.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Field, Select } from "../../ui/form/fields.tsx";
import { useOpenPreview } from "./preview.ts";
import classes from "./tools.module.css";

/** The columns that a file may have, each with its usual heading, its label, and an example for the template. */
type ColumnWords = Readonly<Record<string, { usual: string; label: string; example?: string }>>;

const studentColumns = {
  id: { usual: "Id", label: "Student's id" },
  email: { usual: "Email", label: "Student's email", example: "ada@example.org" },
  agent: { usual: "Agent email", label: "Agent's email", example: "kofi@example.org" },
} as const satisfies ColumnWords;

type Headings = Readonly<Record<string, string>>;
type ChosenFile = { file: File; headings: readonly string[]; rows: number; columns: Headings };

const unreadable = (message: string) => Object.assign(new Error(message), { code: "form/incomplete" });

/** Reads the headings. Throws problems with the file as a whole immediately. */
async function openFile(file: File, words: ColumnWords): Promise<ChosenFile> {
  if (file.size > exportLimits.importBytes) throw unreadable("The file is larger than 2 MB.");
  const table = readCsv(await file.text());
  if (table.kind === "problem") throw unreadable(`Row ${table.row}: ${table.message}`);
  const headingOf = (heading: string) =>
    table.headings.find((each) => each.toLowerCase() === heading.toLowerCase()) ?? "";
  const columns = Object.fromEntries(
    Object.entries(words).map(([name, { usual }]) => [name, headingOf(usual)]),
  );
  return { file, headings: table.headings, rows: table.rows.length, columns };
}

/** Returns the address of a template, with the headings and examples of those columns that have one. */
function templateOf(words: ColumnWords): string {
  const columns = Object.values(words).filter(({ example }) => example !== undefined);
  const rows = [columns.map(({ usual }) => usual), columns.map(({ example }) => example)];
  const text = rows.map((cells) => `${cells.join(",")}\r\n`).join("");
  return `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`;
}

type ImportDialogProps = { opened: boolean; onClose: () => void };

/** Imports the agents of students from a CSV file. Nothing changes before the preview is confirmed. */
export function ImportDialog({ opened: isOpen, onClose }: ImportDialogProps) {
  const [overwrite, setOverwrite] = useState(false);
  return (
    <Dialog opened={isOpen} onClose={onClose} title="Import a CSV file">
      <CsvForm
        columns={studentColumns}
        isReady={({ id, email, agent }) => Boolean(agent && (id || email))}
        query={overwrite ? { overwrite: "yes" } : {}}
        onClose={onClose}
        choices={
          <label className={classes.choice}>
            <input
              type="checkbox"
              className={classes.box}
              checked={overwrite}
              onChange={({ currentTarget }) => setOverwrite(currentTarget.checked)}
            />
            Also change students who have an agent already
          </label>
        }
      >
        Assigns students to agents from a file, such as one that you exported and changed. Empty cells and
        missing columns leave students as they are.
      </CsvForm>
    </Dialog>
  );
}

type CsvFormProps = {
  columns: ColumnWords;
  /** Whether all required columns have a heading. */
  isReady: (columns: Headings) => boolean;
  /** Parameters of the upload besides the columns. */
  query: Readonly<Record<string, string>>;
  onClose: () => void;
  choices?: ReactNode;
  children: ReactNode;
};

/** Takes a CSV file and the meaning of its columns, and leads to the preview. */
export function CsvForm({ columns: words, isReady, query, onClose, choices, children }: CsvFormProps) {
  const openPreview = useOpenPreview();
  const inputId = useId();
  const [source, setSource] = useState<ChosenFile | null>(null);
  const opening = useMutation({ mutationFn: (file: File) => openFile(file, words), onSuccess: setSource });
  const sending = useMutation({
    async mutationFn({ file, columns }: ChosenFile) {
      const entries = Object.entries(columns).filter(([, heading]) => heading !== "");
      const parameters = new URLSearchParams([...entries, ...Object.entries(query)]);
      const { id }: { id?: unknown } = Object(
        await uploadFile(`/files/student-imports?${parameters.toString()}`, file, () => {}),
      );
      if (typeof id !== "string") throw new CataloguedError("unavailable");
      return { id };
    },
    onSuccess: ({ id }) => openPreview(id),
  });
  const error = opening.error ?? sending.error;
  return (
    <>
      <p className={dialog.words}>
        {children}{" "}
        <a href={templateOf(words)} download="template.csv">
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
      {source && (
        <Columns words={words} source={source} onChange={(columns) => setSource({ ...source, columns })}>
          {choices}
        </Columns>
      )}
      <DialogActions>
        <Button variant="default" size="md" onClick={onClose}>
          Cancel
        </Button>
        <Button
          size="md"
          disabled={!source || !isReady(source.columns) || sending.isPending}
          onClick={() => source && sending.mutate(source)}
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
  words: ColumnWords;
  source: ChosenFile;
  onChange: (columns: ChosenFile["columns"]) => void;
  children: ReactNode;
};

/** Asks for the meaning of the file's columns. */
const Columns = ({ words, source: { headings, rows, columns }, onChange, children }: ColumnsProps) => (
  <div className={classes.columns}>
    <p className={dialog.aside}>{rows === 1 ? "1 row" : `${rows} rows`}. Which column is what?</p>
    {Object.entries(words).map(([column, { label }]) => (
      <Field key={column} label={label}>
        {(control) => (
          <Select
            value={columns[column] ?? ""}
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
