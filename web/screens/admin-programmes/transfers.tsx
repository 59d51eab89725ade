import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CatalogueImport } from "#contract/catalogue-past-imports.ts";
import { importLimits } from "#domain/catalogue.ts";
import { announce } from "../../lib/announce.ts";
import { download } from "../../lib/download.ts";
import { useFormats } from "../../lib/format-date.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Field, Select } from "../../ui/form/fields.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import classes from "./programmes.module.css";

/** Imports with their undo, exports, and the sample programmes. */
export function Transfers() {
  const [importing, setImporting] = useState(false);
  const { data } = useQuery(api.catalogue.imports.queryOptions());
  const samples = useMutation({
    mutationFn: () => rpc.catalogue.addSamples(),
    async onSuccess({ added }) {
      announce(
        added === 0
          ? "The sample programmes are there already."
          : added === 1
            ? "1 sample programme added."
            : `${added} sample programmes added.`,
      );
      await queryClient.invalidateQueries({ queryKey: api.catalogue.key() });
    },
  });
  return (
    <section aria-labelledby="transfers">
      <h2 id="transfers" className={classes.heading}>
        Import and export
      </h2>
      <div className={classes.links}>
        <Button variant="default" aria-haspopup="dialog" onClick={() => setImporting(true)}>
          Import a file
        </Button>
        <Button variant="subtle" onClick={() => download("/files/programmes?format=csv&template=yes")}>
          Download a template
        </Button>
        <Button variant="subtle" disabled={samples.isPending} onClick={() => samples.mutate()}>
          Add sample programmes
        </Button>
      </div>
      <Export />
      {data && data.imports.length > 0 && (
        <ItemList label="Imports">
          {data.imports.slice(0, 10).map((each) => (
            <ImportRow key={each.id} of={each} />
          ))}
        </ItemList>
      )}
      <ImportDialog opened={importing} onClose={() => setImporting(false)} />
      <ErrorModal title="Not Added" error={samples.error} onClose={samples.reset} />
    </section>
  );
}

/** Exports everything or one source, because the size of an import is limited. */
function Export() {
  const [source, setSource] = useState("");
  const { data } = useQuery(api.catalogue.sources.queryOptions());
  const sources = data?.sources ?? [];
  const total = sources.reduce((sum, { programmes }) => sum + programmes, 0);
  const save = (format: "csv" | "json") =>
    download(`/files/programmes?${new URLSearchParams({ format, source }).toString()}`);
  return (
    <div className={`${classes.links} ${classes.export}`}>
      <Field
        label="Programmes to export"
        description={
          total > importLimits.rows &&
          `An import takes at most ${importLimits.rows.toLocaleString("en")} programmes, so export one source at a time.`
        }
      >
        {(control) => (
          <Select
            value={source}
            data={[
              { value: "", label: "All" },
              ...sources.map((each) => ({
                value: each.source,
                label: `${each.source} (${each.programmes.toLocaleString("en")})`,
              })),
            ]}
            onChange={({ currentTarget }) => setSource(currentTarget.value)}
            {...control}
          />
        )}
      </Field>
      <div className={classes.formats}>
        <Button variant="default" onClick={() => save("csv")}>
          Export as CSV
        </Button>
        <Button variant="default" onClick={() => save("json")}>
          Export as JSON
        </Button>
      </div>
    </div>
  );
}

type UndoResult = Awaited<ReturnType<typeof rpc.catalogue.undoImport>>;

/** Lists the programmes that an undo couldn't restore, and why. */
const LeftDialog = ({ undone, onClose }: { undone: UndoResult | undefined; onClose: () => void }) => (
  <Dialog
    wide
    opened={undone !== undefined && undone.leftCount > 0}
    onClose={onClose}
    title="Left as they are"
  >
    {undone && (
      <>
        <ul className={classes.rows} aria-label="Programmes that stay as they are">
          {undone.left.map(({ id, title, why }) => (
            <li key={id} className={classes.row}>
              {title}
              <div className={classes.small}>{why}</div>
            </li>
          ))}
        </ul>
        {undone.leftCount > undone.left.length && (
          <p className={classes.small}>
            And {(undone.leftCount - undone.left.length).toLocaleString("en")} more.
          </p>
        )}
        <DialogActions>
          <Button size="md" onClick={onClose}>
            Close
          </Button>
        </DialogActions>
      </>
    )}
  </Dialog>
);

function ImportRow({
  of: { id, source, startedAt, finishedAt, undoneAt, added, changed, undoable },
}: {
  of: CatalogueImport;
}) {
  const { formatMoment } = useFormats();
  const [asking, setAsking] = useState(false);
  const undoing = useMutation({
    mutationFn: () => rpc.catalogue.undoImport({ id }),
    onSuccess: ({ restored, removed, leftCount }) =>
      announce(
        `Undone: ${restored} given back, ${removed} taken out.${leftCount === 0 ? "" : leftCount === 1 ? " 1 stays as it is." : ` ${leftCount} stay as they are.`}`,
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.catalogue.key() }),
  });
  const state =
    undoneAt !== null
      ? "undone"
      : finishedAt === null
        ? "not finished yet. If it was interrupted, import the same file again"
        : "done";
  return (
    <Item
      level={3}
      name={source}
      details={
        <p>
          {formatMoment(startedAt)}: {added.toLocaleString("en")} added, {changed.toLocaleString("en")}{" "}
          changed,
          {` ${state}`}.
        </p>
      }
      actions={
        undoable && (
          <>
            <Button
              size="compact-md"
              variant="default"
              disabled={undoing.isPending}
              aria-label={`Undo the import of ${source}`}
              onClick={() => setAsking(true)}
            >
              {undoing.isPending ? "Undoing..." : "Undo"}
            </Button>
            <ConfirmModal
              question={
                asking
                  ? {
                      title: "Undo this import?",
                      text: "Programmes get back what they had, and added ones leave the catalogue. What somebody has changed since stays as it is.",
                      action: "Undo the import",
                    }
                  : null
              }
              onConfirm={() => {
                setAsking(false);
                undoing.mutate();
              }}
              onCancel={() => setAsking(false)}
            />
          </>
        )
      }
    >
      <LeftDialog undone={undoing.data} onClose={undoing.reset} />
      <ErrorModal title="Not Undone" error={undoing.error} onClose={undoing.reset} />
    </Item>
  );
}
