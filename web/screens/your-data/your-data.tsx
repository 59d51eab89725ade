import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Role } from "#domain/account.ts";
import { contactDays, coolingOffDays, mayDeleteAccount } from "#domain/deletion.ts";
import { useSignOut } from "../../frame/sign-out.tsx";
import { download } from "../../lib/download.ts";
import { formatSize } from "../../lib/format-size.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { rpc } from "../../lib/rpc.ts";
import { noteAccountEnd } from "../../lib/session-end.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { Page } from "../../ui/page.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import classes from "./your-data.module.css";

const title = "Your data";

export const meta = () => pageMeta(title);

/** Lets the viewer download everything that is stored about them, and delete their account. */
export default function YourData() {
  const viewer = useViewer();
  return (
    <Page title={title} lead="Take a copy of everything we store about you, or delete your account." narrow>
      <ItemList label={title}>
        <DownloadData />
        {viewer && !mayDeleteAccount(viewer) && (
          <Item
            name="Delete your account"
            details={
              <p>
                Admin accounts are set up by whoever runs this server. Ask them to take your address off the
                list of admins.
              </p>
            }
          />
        )}
        {viewer && mayDeleteAccount(viewer) && <DeleteAccount role={viewer.role} />}
      </ItemList>
      <p className={classes.hint}>
        What we store, who sees it and for how long is on the <TextLink to="/privacy">Privacy page</TextLink>.
      </p>
    </Page>
  );
}

function DownloadData() {
  const { data, error, isPending, mutate, reset } = useMutation({
    mutationFn: () => rpc.account.dataLink(),
    onSuccess: ({ url }) => download(url),
  });
  return (
    <Item
      name="Download your data"
      details={
        <p>
          One zip with all we store about you, your files included. It also says what's not in it, and why.
        </p>
      }
      actions={
        <Button disabled={isPending} onClick={() => mutate()}>
          {isPending ? "Preparing..." : "Download my data"}
        </Button>
      }
    >
      <output aria-label="Download" className={classes.status}>
        {data &&
          `Your download has started${data.files === 0 ? "" : `: ${data.files === 1 ? "1 file" : `${data.files} files`}, ${formatSize(data.bytes)}`}. Your browser shows the progress.`}
      </output>
      <ErrorModal title="Download Error" error={error} onClose={reset} />
    </Item>
  );
}

const ofRole: Partial<Record<Role, string>> = {
  student: `For ${coolingOffDays} days nothing is erased. Then your profile, applications, documents and shortlist are deleted for good.`,
  agent: `Your students stay with you for these ${coolingOffDays} days. Then they'll be told that they need a new agent.`,
};

/** Explains the deletion of the viewer's account, with the button that requests it. */
function DeleteAccount({ role }: { role: Role }) {
  const [isOpen, setOpen] = useState(false);
  const { signOut, isSigningOut } = useSignOut();
  const close = () => setOpen(false);
  function erase() {
    const end = async () => noteAccountEnd(await rpc.account.requestDeletion());
    signOut({ to: "/login", end, errorTitle: "Account not deleted" });
  }
  return (
    <Item
      name="Delete your account"
      details={
        <p>
          You'll be logged out everywhere, and everything is erased after {coolingOffDays} days, or once your
          bids and sales are settled. Log in before then to keep your account.
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
          <li>
            Your bids stand until their auctions close, and can win. Whoever you bought from or sold to can
            reach you for {contactDays} days after the sale, and only then is your account erased.
          </li>
          <li>
            Items you're selling go off sale now, except those with bids that end within 12 hours: they run to
            their end.
          </li>
          {ofRole[role] && <li>{ofRole[role]}</li>}
          <li>
            After that everything is gone for good, files included. The amounts of bids and sales stay,
            without your name.
          </li>
        </ul>
        <p className={dialog.words}>
          Changed your mind? Just log in before then. You may want to download your data first.
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
