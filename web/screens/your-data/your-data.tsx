import { useMutation } from "@tanstack/react-query";
import { mayDeleteAccount } from "#domain/deletion.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { download } from "../../lib/download.ts";
import { formatSize } from "../../lib/format-size.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { Page } from "../../ui/page.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import classes from "./your-data.module.css";

const title = "Your data";

export const meta = () => pageMeta(title);

/** All that is stored about whoever looks: to take along, and to have erased. */
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
          `Your download has started: ${data.files === 1 ? "1 file" : `${data.files} files`}, ${formatSize(data.bytes)}, and your entries as text. Your browser shows the progress.`}
      </output>
      <ErrorModal title="Download Error" error={error && friendlyError(error)} onClose={reset} />
    </Item>
  );
}
