import { invitationLimits } from "#domain/invitation.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CsvForm } from "../manage-students/import-dialog.tsx";

const columns = {
  email: { usual: "Email", label: "Email", example: "efua@example.org" },
  firstName: { usual: "First name", label: "First name", example: "Efua" },
  lastName: { usual: "Last name", label: "Last name", example: "Owusu" },
  message: { usual: "Message", label: "Message", example: "We met at your school." },
} as const;

type InviteFileProps = { opened: boolean; onClose: () => void };

/** Invites the people of a CSV file. Nothing is sent before the preview is confirmed. */
export const InviteFile = ({ opened, onClose }: InviteFileProps) => (
  <Dialog opened={opened} onClose={onClose} title="Invite from a file">
    <CsvForm
      columns={columns}
      isReady={({ email, firstName }) => Boolean(email && firstName)}
      query={{ act: "invite" }}
      onClose={onClose}
    >
      Invites each person once; whom you've invited already is left out. You'll see who gets an invitation
      before any is sent. {invitationLimits.aDay} a day go out: bring the file in again for the rest.
    </CsvForm>
  </Dialog>
);
