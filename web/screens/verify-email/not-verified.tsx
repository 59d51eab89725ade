import { messageOf } from "#domain/error-catalogue.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { useNext } from "../../lib/use-next.ts";
import { useViewer } from "../../lib/viewer.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Retry } from "../../ui/retry.tsx";

const spent = messageOf["auth/invalid-action-code"];
/** Final answers: the link can't be used, or somebody else has its address by now. */
const final = new Set<string | null>(["auth/invalid-action-code", "auth/email-already-in-use"]);

/** The link did not work: why, and a way on. Null: the address has no link in it. */
export function NotVerified({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const viewer = useViewer();
  const withNext = useNext();
  const { code, message } = friendlyError(error);
  if (onRetry && !final.has(code)) return <Retry error={error} onRetry={onRetry} />;
  if (code === "auth/email-already-in-use") return <Notice>{message}</Notice>;
  if (viewer?.emailVerified)
    return (
      <Notice kind="success">Your email address is already verified. There's nothing left to do.</Notice>
    );
  return (
    <>
      <Notice>{spent}</Notice>
      {viewer ? (
        <p>Use “Send again” above to get a new link.</p>
      ) : (
        <LinkButton primary to={withNext("/login")}>
          Log in to get a new link
        </LinkButton>
      )}
    </>
  );
}
