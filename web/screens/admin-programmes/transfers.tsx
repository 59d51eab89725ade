import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CatalogueImport } from "#contract/catalogue.ts";
import { announce } from "../../lib/announce.ts";
import { download } from "../../lib/download.ts";
import { useFormats } from "../../lib/format-date.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import classes from "./programmes.module.css";

/** Files that come in and go out: imports with their undo, exports, and the samples. */
export function Transfers() {
  const [importing, setImporting] = useState(false);
  const { data } = useQuery(api.catalogue.imports.queryOptions());
  const samples = useMutation({
    mutationFn: () => rpc.catalogue.addSamples(),
    async onSuccess({ added }) {
      announce(
        added === 0 ? "The sample programmes are there already." : `${added} sample programmes added.`,
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
        <Button variant="default" onClick={() => download("/files/programmes?format=csv")}>
          Export as CSV
        </Button>
        <Button variant="default" onClick={() => download("/files/programmes?format=json")}>
          Export as JSON
        </Button>
        <Button variant="subtle" disabled={samples.isPending} onClick={() => samples.mutate()}>
          Add sample programmes
        </Button>
      </div>
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

function ImportRow({
  of: { id, source, startedAt, finishedAt, undoneAt, added, changed, undoable },
}: {
  of: CatalogueImport;
}) {
  const { formatMoment } = useFormats();
  const [asking, setAsking] = useState(false);
  const undoing = useMutation({
    mutationFn: () => rpc.catalogue.undoImport({ id }),
    onSuccess: ({ restored, removed, left }) =>
      announce(
        `Undone: ${restored} given back, ${removed} taken out.${left.length > 0 ? ` ${left.length} have changed since and stay.` : ""}`,
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.catalogue.key() }),
  });
  const state = undoneAt !== null ? "undone" : finishedAt === null ? "running or interrupted" : "done";
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
            <ErrorModal title="Not Undone" error={undoing.error} onClose={undoing.reset} />
          </>
        )
      }
    />
  );
}
