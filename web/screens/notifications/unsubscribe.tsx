import { useMutation } from "@tanstack/react-query";
import { friendlyError } from "#domain/friendly-error.ts";
import { type NotificationKind, notificationKinds, notificationTable } from "#domain/notification.ts";
import { noReferrer, pageMeta } from "../../lib/page-meta.ts";
import { api } from "../../lib/rpc.ts";
import { useMailedToken } from "../../lib/use-mailed-token.ts";
import { Aside, AuthPage } from "../../ui/auth-page.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import classes from "./notifications.module.css";

export const meta = () => [...pageMeta("Unsubscribe"), noReferrer];

/**
 * The target of the unsubscribe link, for mail programs without an unsubscribe button: nothing changes before the
 * button is pressed.
 */
export default function Unsubscribe() {
  const token = useMailedToken();
  return (
    <AuthPage title="Email notifications">
      {token === undefined && <Skeleton h={56} label="Loading" />}
      {token === null && <Notice>{brokenLink}</Notice>}
      {token && <Unsubscription token={token} />}
      <Aside>
        <LinkButton to="/notifications#mails" size="compact-md">
          Choose which emails you get
        </LinkButton>
      </Aside>
    </AuthPage>
  );
}

const brokenLink = "This link doesn't work. Please log in and choose which emails you get.";

function wordsOf(error: unknown): string {
  const { code, message } = friendlyError(error);
  return code === "auth/invalid-action-code" ? brokenLink : message;
}

/** Reads the kinds from a link, to name them before the request. Only the server checks the token. */
function kindsIn(token: string): readonly NotificationKind[] {
  const [text = ""] = token.split(".");
  try {
    const content = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return notificationKinds.filter((kind) => content.includes(`"${kind}"`));
  } catch {
    return [];
  }
}

const Kinds = ({ kinds }: { kinds: readonly NotificationKind[] }) => (
  <ul className={classes.kinds}>
    {kinds.map((kind) => (
      <li key={kind}>{notificationTable[kind].label}</li>
    ))}
  </ul>
);

function Unsubscription({ token }: { token: string }) {
  const { data, error, isPending, mutate } = useMutation(api.notifications.unsubscribe.mutationOptions());
  if (data)
    return (
      <>
        <Notice kind="success">
          You won't get these emails any more. You'll still find these updates under the bell.
        </Notice>
        <Kinds kinds={data.kinds} />
      </>
    );
  return (
    <>
      <p>Stop the emails that we send you when this happens?</p>
      <Kinds kinds={kindsIn(token)} />
      {error && <Notice>{wordsOf(error)}</Notice>}
      <Button size="md" disabled={isPending} onClick={() => mutate({ token })}>
        {isPending ? "Unsubscribing..." : "Unsubscribe"}
      </Button>
    </>
  );
}
