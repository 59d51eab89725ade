import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { ImportReport } from "#contract/catalogue-import.ts";
import { importLimits } from "#domain/catalogue.ts";
import { programmeLimits } from "#domain/programme.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { uploadFile } from "../../lib/upload-queue.ts";
import { Button } from "../../ui/button.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Field, Input } from "../../ui/form/fields.tsx";
import classes from "./programmes.module.css";

type Upload = { file: File; source: string };
type DryRun = Upload & { report: ImportReport };

/** Checks little, because our server's answers conform to the contract. */
const isReport = (answer: unknown): answer is ImportReport =>
  typeof answer === "object" && answer !== null && "hash" in answer && "counts" in answer && "rows" in answer;

async function sendFile({ file, source }: Upload, run?: string): Promise<ImportReport> {
  const format = /\.csv$/i.test(file.name) ? "csv" : "json";
  const query = new URLSearchParams({ format, source, ...(run !== undefined && { run }) });
  const answer = await uploadFile(`/files/programme-imports?${query.toString()}`, file, () => {});
  if (!isReport(answer)) throw new Error("The answer is no report.");
  return answer;
}

/** Imports a file of programmes, after showing what it would change. */
export function ImportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog wide opened={opened} onClose={onClose} title="Import programmes">
      <ImportSteps onClose={onClose} />
    </Dialog>
  );
}

function ImportSteps({ onClose }: { onClose: () => void }) {
  const inputId = useId();
  const [source, setSource] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const [dryRun, setDryRun] = useState<DryRun | null>(null);
  const [done, setDone] = useState<ImportReport | null>(null);
  const checking = useMutation({
    mutationFn: async (upload: Upload) => ({ ...upload, report: await sendFile(upload) }),
    onSuccess: setDryRun,
  });
  const running = useMutation({
    mutationFn: ({ report, ...upload }: DryRun) => sendFile(upload, report.hash),
    onSuccess(report) {
      announce(`Imported: ${report.counts.new} added, ${report.counts.changed} changed.`);
      setDone(report);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.catalogue.key() }),
  });
  if (done)
    return (
      <>
        <Counts label="What the file has done" report={done} />
        <DialogActions>
          <Button size="md" onClick={onClose}>
            Close
          </Button>
        </DialogActions>
        <Details report={done} />
      </>
    );
  const isBusy = checking.isPending || running.isPending;
  return (
    <>
      <p className={dialog.words}>
        JSON or CSV, up to {importLimits.rows.toLocaleString("en")} programmes. Nothing changes before you
        have seen what the file would do.
      </p>
      <label className={classes.file} htmlFor={inputId}>
        File
      </label>
      <input
        id={inputId}
        className={classes.picker}
        type="file"
        accept=".json,.csv,application/json,text/csv"
        disabled={isBusy}
        onChange={({ currentTarget: { files } }) => {
          setFile(files?.[0] ?? null);
          setDryRun(null);
        }}
      />
      <Field label="Source" description="Only for a file that names none, such as leeds.ac.uk.">
        {(control) => (
          <Input
            value={source}
            maxLength={programmeLimits.source}
            onChange={({ currentTarget: { value } }) => {
              setSource(value);
              setDryRun(null);
            }}
            {...control}
          />
        )}
      </Field>
      {dryRun && <Counts label="What the file would do" report={dryRun.report} />}
      <DialogActions>
        <Button variant="default" size="md" onClick={onClose}>
          Cancel
        </Button>
        {dryRun ? (
          <Button
            size="md"
            disabled={isBusy || dryRun.report.counts.new + dryRun.report.counts.changed === 0}
            onClick={() => running.mutate(dryRun)}
          >
            {running.isPending ? "Importing..." : "Import"}
          </Button>
        ) : (
          <Button
            size="md"
            disabled={isBusy || !file}
            onClick={() => file && checking.mutate({ file, source })}
          >
            {checking.isPending ? "Checking..." : "Check the file"}
          </Button>
        )}
      </DialogActions>
      {dryRun && <Details report={dryRun.report} />}
      <ErrorModal
        title="Import Error"
        error={checking.error ?? running.error}
        onClose={() => void [checking.reset(), running.reset()]}
      />
    </>
  );
}

const fieldLabels: Readonly<Record<string, string>> = {
  checkedOn: "checked on",
  fees: "fees",
  institution: "institution",
  intakes: "intakes and deadlines",
  requirementSets: "entry requirements",
  sourceId: "id at the source",
  url: "web address",
};
const outcomeWords = { new: "New", changed: "Changed", unchanged: "Unchanged", refused: "Refused" };

type Rows = ImportReport["rows"];
const rowsAtFirst = 10;
const rowOrder: readonly Rows[number]["outcome"][] = ["refused", "changed", "new", "unchanged"];

/** Lists the rows of a file that change something or are refused, those that need attention first. */
function RowList({ rows }: { rows: Rows }) {
  const [isExpanded, setExpanded] = useState(false);
  const ordered = rows.toSorted(
    (one, other) => rowOrder.indexOf(one.outcome) - rowOrder.indexOf(other.outcome),
  );
  return (
    <>
      <ul className={classes.rows} aria-label="Rows">
        {ordered
          .slice(0, isExpanded ? undefined : rowsAtFirst)
          .map(({ number, title, outcome, fields, why }) => (
            <li key={number} className={classes.row}>
              Row {number}: {title || "No title"}
              <div className={classes.small}>
                {outcomeWords[outcome]}
                {fields.length > 0 && `: ${fields.map((field) => fieldLabels[field] ?? field).join(", ")}`}
                {why !== "" && `: ${why}`}
              </div>
            </li>
          ))}
      </ul>
      {!isExpanded && rows.length > rowsAtFirst && (
        <Button size="compact-md" variant="default" onClick={() => setExpanded(true)}>
          Show all {rows.length.toLocaleString("en")} rows
        </Button>
      )}
    </>
  );
}

/** Lists the first of `count` names, and all that are known on request. */
function Names({ lead, names, count }: { lead: string; names: readonly string[]; count: number }) {
  const [isExpanded, setExpanded] = useState(false);
  const shownNames = isExpanded ? names : names.slice(0, rowsAtFirst);
  const others = count - shownNames.length;
  return (
    <p className={classes.small}>
      {lead}: {shownNames.join(", ")}
      {others > 0 && ` and ${others.toLocaleString("en")} more`}{" "}
      {names.length > shownNames.length && (
        <Button size="compact-md" variant="default" onClick={() => setExpanded(true)}>
          {`Show ${names.length.toLocaleString("en")}`}
        </Button>
      )}
    </p>
  );
}

/** Counts what a file would change, or has changed. */
const Counts = ({ label, report: { counts, rows, missing } }: { label: string; report: ImportReport }) => (
  <section aria-label={label}>
    <ul className={classes.counts}>
      {(["new", "changed", "unchanged", "refused"] as const).map((outcome) => (
        <li key={outcome}>
          {outcomeWords[outcome]}: <strong>{counts[outcome].toLocaleString("en")}</strong>
        </li>
      ))}
      <li>
        No longer in the file: <strong>{missing.count.toLocaleString("en")}</strong>
      </li>
    </ul>
    {rows.length === 0 && <p>The catalogue has all of this already.</p>}
  </section>
);

/** Lists the rows that differ from the catalogue. Placed below the buttons, because it may be long. */
const Details = ({ report: { rows, newInstitutions, missing } }: { report: ImportReport }) => (
  <section className={classes.details} aria-label="Row by row">
    {newInstitutions.length > 0 && (
      <Names lead="New institutions" names={newInstitutions} count={newInstitutions.length} />
    )}
    {rows.length > 0 && <RowList rows={rows} />}
    {missing.count > 0 && (
      <Names
        lead="What is no longer in the file stays in the catalogue"
        names={missing.programmes.map(({ title }) => title)}
        count={missing.count}
      />
    )}
  </section>
);
