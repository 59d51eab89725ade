import { useState } from "react";
import type { Role } from "#domain/account.ts";
import { coolingOffDays } from "#domain/deletion.ts";
import { useSignOut } from "../../frame/sign-out.tsx";
import { rpc } from "../../lib/rpc.ts";
import { noteAccountEnd } from "../../lib/session-end.ts";
import { Button } from "../../ui/button.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import { Item } from "../../ui/item-list.tsx";
import classes from "./your-data.module.css";

const ofRole: Partial<Record<Role, string>> = {
  student:
    "Your profile, applications, documents and shortlist are erased, and your agent is no longer yours.",
  agent: `Your students stay with you for these ${coolingOffDays} days. After that they need a new agent, and are told so.`,
};

/** What happens when somebody deletes their account, and the button that does it. */
export function DeleteAccount({ role }: { role: Role }) {
  const [isOpen, setOpen] = useState(false);
  const { leave, isSigningOut } = useSignOut();
  const close = () => setOpen(false);
  function erase() {
    const end = async () => noteAccountEnd((await rpc.account.requestDeletion()).dueAt);
    leave({ to: "/login", end, errorTitle: "Account not deleted" });
  }
  return (
    <Item
      name="Delete your account"
      details={
        <p>
          We log you out everywhere and erase everything {coolingOffDays} days later. Log in before then, and
          your account stays.
        </p>
      }
      actions={
        <Button variant="default" onClick={() => setOpen(true)}>
          Delete my account
        </Button>
      }
    >
      <Dialog opened={isOpen} onClose={close} title="Delete your account?">
        <ul className={classes.list}>
          <li>You're logged out on all devices right away.</li>
          <li>Items you're selling go off sale now, and bids you've placed can't win any more.</li>
          {ofRole[role] && <li>{ofRole[role]}</li>}
          <li>
            After {coolingOffDays} days all of it is gone for good, files included. The amounts of bids and
            sales stay, without your name.
          </li>
        </ul>
        <p className={dialog.words}>
          Changed your mind? Just log in within {coolingOffDays} days. You may want to download your data
          first.
        </p>
        <DialogActions>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button variant="danger" disabled={isSigningOut} onClick={erase}>
            {isSigningOut ? "Deleting..." : "Delete my account"}
          </Button>
        </DialogActions>
      </Dialog>
    </Item>
  );
}
