import { type MouseEvent, useState } from "react";
import { useNext } from "../../lib/use-next.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { ResetRequest } from "../reset-password/reset-request.tsx";

/**
 * Opens the password reset modal, with the address that stands in the login form; in a new tab, or before React is
 * ready, the screen of its own.
 */
export function ResetLink({ typedEmail }: { typedEmail: () => string }) {
  const withNext = useNext();
  const [email, setEmail] = useState<string | null>(null);
  const close = () => setEmail(null);
  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    setEmail(typedEmail());
  }
  return (
    <>
      <TextLink to={withNext("/reset-password")} onClick={open} aria-haspopup="dialog">
        Reset here
      </TextLink>
      <Dialog opened={email !== null} onClose={close} title="Reset your password">
        <ResetRequest email={email ?? ""} onCancel={close} />
      </Dialog>
    </>
  );
}
