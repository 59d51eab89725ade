import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { messageOf } from "#domain/error-catalogue.ts";
import { friendlyError, hasCode } from "#domain/friendly-error.ts";
import { noReferrer, pageMeta, tokenOnly } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { useMailedToken } from "../../lib/use-mailed-token.ts";
import { useNext } from "../../lib/use-next.ts";
import { useViewer } from "../../lib/viewer.ts";
import { AuthPage } from "../../ui/auth-page.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { late } from "../../ui/late.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { VerifiedAddress } from "./password-asked.tsx";

/** Lazy-loaded: most links are opened where their account is logged in. */
const PasswordAsked = late(() => import("./password-asked.tsx"));

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

/**
 * Verifies by a query rather than an effect: however often this renders or mounts, the link is used once. A browser
 * that is not logged in to the account, such as a phone's that opens its mails, asks for the password.
 */
function Verification({ token }: { token: string }) {
  const withNext = useNext();
  const { data, error, refetch } = useQuery(
    api.account.verifyEmail.queryOptions({
      input: { token },
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnMount: false,
      refetchOnReconnect: false,
      refetchOnWindowFocus: false,
    }),
  );
  const [proved, setProved] = useState<VerifiedAddress | null>(null);
  const verified = proved ?? data;
  const isVerified = verified !== undefined;
  useEffect(() => {
    if (isVerified) void queryClient.invalidateQueries({ queryKey: api.account.me.key() });
  }, [isVerified]);
  if (!verified && hasCode(error, "form/incomplete"))
    return (
      <Suspense fallback={<Skeleton h={56} label="Loading" />}>
        <PasswordAsked token={token} onVerified={setProved} />
      </Suspense>
    );
  if (!verified && error) return <NotVerified error={error} onRetry={() => void refetch()} />;
  if (!verified) return <Skeleton h={56} label="Loading" />;
  return (
    <>
      <Notice kind="success">
        {verified.isNew
          ? `Thank you. Your email address is now ${verified.email}.`
          : "Thank you. Your email address is verified."}
      </Notice>
      <LinkButton primary to={withNext("/login")}>
        Continue
      </LinkButton>
    </>
  );
}

const spent = messageOf["auth/invalid-action-code"];
/** Final answers: the link can't be used, or its address now belongs to another account. */
const final = new Set<string | null>(["auth/invalid-action-code", "auth/email-already-in-use"]);

/** Says why the link failed, with a way to go on. `error` is null if the address has no token. */
function NotVerified({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const viewer = useViewer();
  const withNext = useNext();
  const { code, message } = friendlyError(error);
  if (onRetry && !final.has(code)) return <Retry error={error} onRetry={onRetry} />;
  if (code === "auth/email-already-in-use") return <Notice>{message}</Notice>;
  // A used link still says that it worked, so this one was for a change that never happened, or for another account.
  if (viewer?.emailVerified)
    return <Notice>This link no longer works. Your email address is still {viewer.email}.</Notice>;
  return (
    <>
      <Notice>{spent}</Notice>
      {viewer ? (
        <p>Use “Send the link again” below to get a new one.</p>
      ) : (
        <LinkButton primary to={withNext("/login")}>
          Log in to get a new link
        </LinkButton>
      )}
    </>
  );
}
