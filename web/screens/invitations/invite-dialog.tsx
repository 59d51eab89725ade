import { limits } from "#domain/account.ts";
import { invitationLimits, invitationProblem } from "#domain/invitation.ts";
import { announce } from "../../lib/announce.ts";
import { rpc } from "../../lib/rpc.ts";
import dialog from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { TextAreaField, TextField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";

type InviteDialogProps = { opened: boolean; onClose: () => void; onSent: () => Promise<void> };

/** Invites a student by name and address. */
export const InviteDialog = ({ opened, onClose, onSent }: InviteDialogProps) => (
  <Dialog wide opened={opened} onClose={onClose} title="Invite a student">
    <p className={dialog.words}>
      We'll email them your name, your agency, your message, and what you will see if they say yes.
    </p>
    <ModalForm
      errorTitle="Invitation not sent"
      draftName="invitation"
      fields={["firstName", "lastName", "email", "message"]}
      check={invitationProblem}
      send={async (form) => {
        await rpc.invitations.send(form);
        await onSent();
        announce("Invitation sent.");
      }}
      onDone={onClose}
      onCancel={onClose}
      action="Send invitation"
      busyText="Sending..."
    >
      <TextField
        name="firstName"
        label="First name"
        autoComplete="off"
        maxLength={invitationLimits.firstName}
      />
      <TextField
        name="lastName"
        label="Last name (optional)"
        autoComplete="off"
        maxLength={invitationLimits.lastName}
        optional
      />
      <TextField name="email" label="Email" type="email" autoComplete="off" maxLength={limits.email} />
      <TextAreaField
        name="message"
        label="Message (optional)"
        optional
        rows={3}
        maxLength={invitationLimits.message}
      />
    </ModalForm>
  </Dialog>
);
