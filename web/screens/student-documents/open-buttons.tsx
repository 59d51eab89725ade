import type { DocumentFile, LinkMode } from "#contract/documents.ts";
import { Button } from "../../ui/button.tsx";

type OpenButtonsProps = {
  file: DocumentFile;
  /** What the document is called. */
  label: string;
  onOpen: (documentId: string, mode: LinkMode) => void;
};

/** Looks at a document, or takes it along. */
export function OpenButtons({ file, label, onOpen }: OpenButtonsProps) {
  return (
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
}
