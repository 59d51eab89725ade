import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useId, useRef, useState } from "react";
import type { RowOutcome } from "#contract/selling.ts";
import { withFileName } from "#domain/file-rules.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { itemColumns, itemCsvLimit } from "#domain/item-csv.ts";
import { productPath } from "#protocol/addresses.ts";
import { ownZone } from "../../../lib/format-date.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { CataloguedError } from "../../../lib/request.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { uploadFile } from "../../../lib/upload-queue.ts";
import { Button } from "../../../ui/button.tsx";
import dialog from "../../../ui/dialog.module.css";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { ErrorModal } from "../../../ui/error-modal.tsx";
import { TextLink } from "../../../ui/text-link.tsx";
import classes from "./desk.module.css";

const example = [
  "Walnut desk",
  "Solid walnut, two drawers",
  "Home",
  "Furniture",
  "Grade A",
  "1500",
  "2027-03-01 18:00",
  "",
  "Cape Town",
  "99",
  "desk-front.jpg;desk-side.jpg",
  "yes",
];
const csvLine = (cells: readonly string[]) =>
  cells.map((cell) => (cell.includes(",") ? `"${cell}"` : cell)).join(",");
const template = `data:text/csv;charset=utf-8,${encodeURIComponent(
  `${csvLine(Object.values(itemColumns))}\r\n${csvLine(example)}\r\n`,
)}`;

/** Lists several items from a CSV file, with their pictures by file name. Nothing is listed before the preview. */
export const ImportItems = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Dialog wide opened={opened} onClose={onClose} title="List items from a file">
    <ImportForm onClose={onClose} />
  </Dialog>
);

type Upload = { file: File | null; pictures: readonly File[] };

function idIn(answer: unknown): string {
  const { id }: { id?: unknown } = Object(answer);
  if (typeof id !== "string") throw new CataloguedError("unavailable");
  return id;
}

/** Uploads the named pictures, each once; `uploaded` has those of earlier tries. */
async function uploadNamed(
  names: ReadonlySet<string>,
  files: readonly File[],
  uploaded: Map<string, string>,
): Promise<void> {
  for (const file of files) {
    const key = file.name.toLowerCase();
    if (!names.has(key) || uploaded.has(key)) continue;
    try {
      uploaded.set(key, idIn(await uploadFile("/files/auction-pictures", file, () => {})));
    } catch (error) {
      const { message, code } = friendlyError(error);
      throw Object.assign(new Error(withFileName(message, file.name)), { code });
    }
  }
}

function ImportForm({ onClose }: { onClose: () => void }) {
  const [upload, setUpload] = useState<Upload>({ file: null, pictures: [] });
  const uploaded = useRef(new Map<string, string>());
  const checking = useMutation({
    mutationFn: async ({ file, pictures }: Upload) =>
      await rpc.auctions.checkFile({
        file: (await file?.text()) ?? "",
        timeZone: ownZone(),
        pictures: pictures.map(({ name }) => name),
      }),
  });
  const listing = useMutation({
    async mutationFn(rows: readonly RowOutcome[]) {
      const names = rows.flatMap((row) => (row.kind === "new" ? row.pictures : []));
      await uploadNamed(new Set(names.map((name) => name.toLowerCase())), upload.pictures, uploaded.current);
      return await rpc.auctions.listFile({
        file: (await upload.file?.text()) ?? "",
        timeZone: ownZone(),
        pictures: [...uploaded.current].map(([name, id]) => ({ name, id })),
      });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: api.auctions.key() }),
  });
  const rows = listing.data?.rows ?? checking.data?.rows ?? null;
  const ready = checking.data?.rows.filter(({ kind }) => kind === "new").length ?? 0;
  function choose(changes: Partial<Upload>) {
    setUpload((before) => ({ ...before, ...changes }));
    checking.reset();
    listing.reset();
  }
  return (
    <>
      <p className={dialog.words}>
        Each row is one item, and a file has at most {itemCsvLimit} rows. The column “{itemColumns.pictures}”
        names the files of an item's pictures, with semicolons between them; “{itemColumns.softClose}” is yes
        or no. Times are in your time zone ({ownZone()}).{" "}
        <a href={template} download="items-template.csv">
          Download a template
        </a>
      </p>
      <ChosenFiles
        label="CSV file"
        accept=".csv,text/csv"
        onFiles={([file]) => choose({ file: file ?? null })}
      />
      <ChosenFiles
        label="Pictures"
        accept=".jpg,.jpeg,.png,.webp"
        multiple
        onFiles={(pictures) => {
          uploaded.current.clear();
          choose({ pictures });
        }}
      />
      {rows && <Outcomes rows={rows} isListed={listing.data !== undefined} />}
      <DialogActions>
        <Button variant="default" size="md" onClick={onClose}>
          {listing.data ? "Close" : "Cancel"}
        </Button>
        {checking.data && !listing.data && ready > 0 ? (
          <Button size="md" disabled={listing.isPending} onClick={() => listing.mutate(checking.data.rows)}>
            {listing.isPending ? "Listing..." : ready === 1 ? "List 1 item" : `List ${ready} items`}
          </Button>
        ) : (
          !listing.data && (
            <Button
              size="md"
              disabled={upload.file === null || checking.isPending}
              onClick={() => checking.mutate(upload)}
            >
              {checking.isPending ? "Reading..." : "Preview"}
            </Button>
          )
        )}
      </DialogActions>
      <ErrorModal
        title="Import Error"
        error={checking.error ?? listing.error}
        onClose={() => void [checking.error ? checking.reset() : listing.reset()]}
      />
    </>
  );
}

type ChosenFilesProps = {
  label: string;
  accept: string;
  multiple?: boolean;
  onFiles: (files: File[]) => void;
};

function ChosenFiles({ label, accept, multiple = false, onFiles }: ChosenFilesProps) {
  const id = useId();
  return (
    <div className={classes.chosen}>
      <label className={classes.file} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="file"
        accept={accept}
        multiple={multiple}
        onChange={({ currentTarget: { files } }) => onFiles([...(files ?? [])])}
      />
    </div>
  );
}

function Outcomes({ rows, isListed }: { rows: readonly RowOutcome[]; isListed: boolean }) {
  return (
    <ul className={classes.outcomes} aria-label={isListed ? "What was listed" : "What would be listed"}>
      {rows.map((row) => (
        <li key={row.row} className={classes.outcome} data-kind={row.kind}>
          <span className={classes.row}>Row {row.row}</span>
          <span>{row.name || "Without a name"}</span>
          <p>{wordsOf(row)}</p>
        </li>
      ))}
    </ul>
  );
}

function wordsOf(row: RowOutcome): ReactNode {
  if (row.kind === "refused") return row.message;
  if (row.kind === "new")
    return row.pictures.length === 1
      ? "Ready, with 1 picture"
      : `Ready, with ${row.pictures.length} pictures`;
  const link = <TextLink to={productPath(row.productId)}>See the item</TextLink>;
  return row.before ? <>Listed before, so it isn't listed again. {link}</> : <>Listed. {link}</>;
}
