import { useViewer } from "../../lib/viewer.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Documents } from "./documents.tsx";

type DocumentsDialogProps = { opened: boolean; onClose: () => void };

/** What Upload Documents of the student dashboard opens. Closed in the middle, the upload goes on. */
export function DocumentsDialog({ opened, onClose }: DocumentsDialogProps) {
  const viewer = useViewer();
  return (
    <Dialog wide opened={opened} onClose={onClose} title="Your documents">
      {viewer && <Documents studentId={viewer.id} />}
    </Dialog>
  );
}
