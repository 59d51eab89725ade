import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { noReferrer, pageMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import { tokenOnly } from "../../lib/rendered-once.ts";
import { api } from "../../lib/rpc.ts";
import { useMailedToken } from "../../lib/use-mailed-token.ts";
import { useNext } from "../../lib/use-next.ts";
import { AuthPage } from "../../ui/auth-page.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { NotVerified } from "./not-verified.tsx";

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
