import { Dialog } from "../../ui/dialog.tsx";
import { Applications } from "./applications.tsx";

type ApplicationDialogProps = { opened: boolean; onClose: () => void };

/** What both Start Application and View Applications of the student dashboard open (product decisions, "Application"). */
export function ApplicationDialog({ opened, onClose }: ApplicationDialogProps) {
  return (
    <Dialog wide opened={opened} onClose={onClose} title="Your Applications">
      <Applications />
    </Dialog>
  );
}
