import { limits } from "#domain/account.ts";
import { agentInvitationProblem, invitationLimits, invitationProblem } from "#domain/invitation.ts";
import { announce } from "../../lib/announce.ts";
import { rpc } from "../../lib/rpc.ts";
import dialog from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { TextAreaField, TextField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";

type InviteDialogProps = { opened: boolean; onClose: () => void; onSent: () => Promise<void> };

const person = ["firstName", "lastName", "email", "message"] as const;

/** Invites a student by name and address. */
export const InviteDialog = ({ opened, onClose, onSent }: InviteDialogProps) => (
  <Dialog wide opened={opened} onClose={onClose} title="Invite a student">
    <p className={dialog.words}>
      We'll email them your name, your agency, your message, and what you will see if they say yes.
    </p>
    <ModalForm
      {...sending}
      draftName="invitation"
      fields={person}
      check={invitationProblem}
      send={async (form) => {
        await rpc.invitations.send(form);
        await onSent();
        announce("Invitation sent.");
      }}
      onDone={onClose}
      onCancel={onClose}
    >
      <NameAndEmail />
      <Message />
    </ModalForm>
  </Dialog>
);

/** Invites an agent by name, address, agency and country. */
export const InviteAgentDialog = ({ opened, onClose, onSent }: InviteDialogProps) => (
  <Dialog wide opened={opened} onClose={onClose} title="Invite an agent">
    <p className={dialog.words}>
      We'll email them your name and your message. Once they say yes, they are approved and see every student.
    </p>
    <ModalForm
      {...sending}
      draftName="agent invitation"
      fields={[...person, "agency", "country"]}
      check={agentInvitationProblem}
      send={async (form) => {
        await rpc.invitations.sendToAgent(form);
        await onSent();
        announce("Invitation sent.");
      }}
      onDone={onClose}
      onCancel={onClose}
    >
      <NameAndEmail />
      <TextField name="agency" label="Agency name" autoComplete="off" maxLength={limits.agency} />
      <TextField name="country" label="Country" autoComplete="off" maxLength={limits.country} />
      <Message />
    </ModalForm>
  </Dialog>
);

const sending = { errorTitle: "Invitation not sent", action: "Send invitation", busyText: "Sending..." };

const NameAndEmail = () => (
  <>
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
  </>
);

const Message = () => (
  <TextAreaField
    name="message"
    label="Message (optional)"
    optional
    rows={3}
    maxLength={invitationLimits.message}
  />
);
