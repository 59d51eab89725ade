import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { messageOf } from "#domain/error-catalogue.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { noReferrer, pageMeta, tokenOnly } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { useMailedToken } from "../../lib/use-mailed-token.ts";
import { useNext } from "../../lib/use-next.ts";
import { useViewer } from "../../lib/viewer.ts";
import { AuthPage } from "../../ui/auth-page.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

export const meta = () => [...pageMeta("Verify your email"), noReferrer];

export const handle = tokenOnly;

export default function VerifyEmail() {
  const token = useMailedToken();
  return (
    <AuthPage title="Verify your email">
      {token === undefined && <Skeleton h={56} label="Loading" />}
      {token === null && <NotVerified error={null} />}
      {token && <Verification token={token} />}
    </AuthPage>
  );
}

/** A query rather than an effect: however often this renders or mounts, the link is used once. */
function Verification({ token }: { token: string }) {
  const withNext = useNext();
  const { isSuccess, error, refetch } = useQuery(
    api.account.verifyEmail.queryOptions({
      input: { token },
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnMount: false,
      refetchOnReconnect: false,
      refetchOnWindowFocus: false,
    }),
  );
  useEffect(() => {
    if (isSuccess) void queryClient.invalidateQueries({ queryKey: api.account.me.key() });
  }, [isSuccess]);
  if (error) return <NotVerified error={error} onRetry={() => void refetch()} />;
  if (!isSuccess) return <Skeleton h={56} label="Loading" />;
  return (
    <>
      <Notice kind="success">Thank you. Your email address is verified.</Notice>
      <LinkButton primary to={withNext("/login")}>
        Continue
      </LinkButton>
    </>
  );
}

const spent = messageOf["auth/invalid-action-code"];
/** Final answers: the link can't be used, or somebody else has its address by now. */
const final = new Set<string | null>(["auth/invalid-action-code", "auth/email-already-in-use"]);

/** The link did not work: why, and a way on. Null: the address has no link in it. */
function NotVerified({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
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
