import { useDisclosure } from "@mantine/hooks";
import type { MouseEvent } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { ResetRequest } from "../reset-password/reset-request.tsx";

/** Opens the password reset modal (spec 2); in a new tab, or before React is ready, the screen of its own. */
export function ResetLink() {
  const [opened, modal] = useDisclosure();
  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    modal.open();
  }
  return (
    <>
      <TextLink to="/reset-password" onClick={open} aria-haspopup="dialog">
        Reset here
      </TextLink>
      <Dialog opened={opened} onClose={modal.close} title="Reset your password">
        <ResetRequest onCancel={modal.close} />
      </Dialog>
    </>
  );
}
