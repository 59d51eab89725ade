import type { ProfileRole } from "#domain/profile.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { PersonalDetails } from "./personal-details.tsx";

type ProfileDialogProps = { opened: boolean; whose: ProfileRole; onClose: () => void };

/** The profile form in a modal. What was typed is still there when it is opened again. */
export const ProfileDialog = ({ opened, whose, onClose }: ProfileDialogProps) => (
  <Dialog wide opened={opened} onClose={onClose} title="Personal details">
    <PersonalDetails whose={whose} onClose={onClose} />
  </Dialog>
);
