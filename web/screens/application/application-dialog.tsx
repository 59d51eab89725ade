import { Dialog } from "../../ui/dialog.tsx";
import { Applications } from "./applications.tsx";
import type { ApplicationsAt } from "./sought.ts";

/** `at`: null while it is closed. */
type ApplicationDialogProps = { at: ApplicationsAt | null; onClose: () => void };

/** What both Start Application and View Applications of the student dashboard open. */
export const ApplicationDialog = ({ at, onClose }: ApplicationDialogProps) => (
  <Dialog wide opened={at !== null} onClose={onClose} title="Your Applications">
    {at && <Applications at={at} />}
  </Dialog>
);
