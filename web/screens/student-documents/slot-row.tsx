import { IconCircle, IconCircleCheck } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import type { DocumentFile, DocumentSlot, LinkMode } from "#contract/documents.ts";
import { type DocumentState, documentLabel } from "#domain/document.ts";
import { countsAsUploaded, type Slots } from "#domain/progress.ts";
import { formatDate } from "../../lib/format-date.ts";
import { formatSize } from "../../lib/format-size.ts";
import { Button } from "../../ui/button.tsx";
import { EnteredBy } from "../../ui/entered-by.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import classes from "./slot-row.module.css";

export const statesOf = (slots: readonly DocumentSlot[]): Slots =>
  Object.fromEntries(slots.flatMap(({ kind, current }) => (current ? [[kind, current.state]] : [])));

export const SlotRows = ({ children }: { children: ReactNode }) => (
  <div className={classes.narrowing}>
    <ul className={classes.list}>{children}</ul>
  </div>
);

type OpenDocument = (documentId: string, mode: LinkMode) => void;
type SlotRowProps = { slot: DocumentSlot; onOpen: OpenDocument; children?: ReactNode };

/** One slot: a tick if its document counts or a circle if not, its document, and its actions. */
export function SlotRow({ slot, onOpen, children }: SlotRowProps) {
  const titleId = useId();
  const { kind, current, earlier } = slot;
  const isUploaded = countsAsUploaded(current?.state);
  const Mark = isUploaded ? IconCircleCheck : IconCircle;
  const { words, tone } = badgeOf(current?.state ?? null);
  return (
    <li className={classes.row} data-filled={current ? true : undefined} aria-labelledby={titleId}>
      <span className={classes.mark} data-there={isUploaded || undefined}>
        <Mark size={24} stroke={1.6} aria-hidden />
      </span>
      <p id={titleId} className={classes.title}>
        {documentLabel[kind]}
        <StateBadge tone={tone}>{words}</StateBadge>
      </p>
      {current && <Facts file={current} />}
      {current?.state === "rejected" && (
        <p className={classes.reason}>
          <strong>Why it was rejected:</strong> {current.reason}
        </p>
      )}
      {earlier.length > 0 && <Earlier files={earlier} label={documentLabel[kind]} onOpen={onOpen} />}
      <div className={classes.actions}>
        {current && <OpenButtons file={current} label={documentLabel[kind]} onOpen={onOpen} />}
        {children}
      </div>
    </li>
  );
}

const badges: Record<DocumentState, { words: string; tone: Tone }> = {
  uploaded: { words: "Waiting for review", tone: "going" },
  approved: { words: "Approved", tone: "good" },
  rejected: { words: "Rejected", tone: "asks" },
};
const noDocument = { words: "Not uploaded", tone: "ended" } as const;

/** Returns the badge of a document's state; null is an empty slot. */
export const badgeOf = (state: DocumentState | null) => (state === null ? noDocument : badges[state]);

const Facts = ({ file: { name, size, uploadedAt, enteredBy } }: { file: DocumentFile }) => (
  <p className={classes.facts}>
    {name}
    {" · "}
    <span className={classes.figures}>
      {formatSize(size)} · {formatDate(uploadedAt)}
    </span>
    {enteredBy && (
      <>
        <br />
        <EnteredBy by={enteredBy} at={uploadedAt} />
      </>
    )}
  </p>
);

/** The replaced versions, collapsed. */
function Earlier({
  files,
  label,
  onOpen,
}: {
  files: readonly DocumentFile[];
  label: string;
  onOpen: OpenDocument;
}) {
  return (
    <details className={classes.earlier}>
      <summary>{files.length === 1 ? "1 earlier version" : `${files.length} earlier versions`}</summary>
      <ul>
        {files.map((file) => (
          <li key={file.id} className={classes.version}>
            <Facts file={file} />
            <div className={classes.actions}>
              <OpenButtons file={file} label={`earlier ${label} ${file.name}`} onOpen={onOpen} />
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}

type OpenButtonsProps = {
  file: DocumentFile;
  /** The document's name for screen readers. */
  label: string;
  onOpen: OpenDocument;
};

/** The buttons to view and to download a document. */
const OpenButtons = ({ file, label, onOpen }: OpenButtonsProps) => (
  <>
    <Button
      variant="default"
      size="compact-sm"
      aria-label={`View ${label}`}
      onClick={() => onOpen(file.id, "view")}
    >
      View
    </Button>
    <Button
      variant="default"
      size="compact-sm"
      aria-label={`Download ${label}`}
      onClick={() => onOpen(file.id, "download")}
    >
      Download
    </Button>
  </>
);
