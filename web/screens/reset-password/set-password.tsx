import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { friendlyError } from "#domain/friendly-error.ts";
import { api } from "../../lib/rpc.ts";
import { useNext } from "../../lib/use-next.ts";
import { AuthPage } from "../../ui/auth-page.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { NewPasswordForm } from "./new-password-form.tsx";

/** The screen of a mailed or printed link: sets a password, or says that the link is spent. */
export function SetPassword({ token }: { token: string }) {
  const [done, setDone] = useState(false);
  const link = useQuery(
    api.account.passwordLink.queryOptions({ input: { token }, staleTime: Number.POSITIVE_INFINITY }),
  );
  if (done) return <Done />;
  if (link.data)
    return (
      <NewPasswordForm
        token={token}
        isAdmin={link.data.purpose === "admin"}
        minLength={link.data.minLength}
        secondFactor={link.data.secondFactor}
        onDone={() => setDone(true)}
      />
    );
  return (
    <AuthPage title="Set a new password">
      {link.error ? (
        <NoLink error={link.error} onRetry={() => void link.refetch()} />
      ) : (
        <Skeleton h={230} label="Loading" />
      )}
    </AuthPage>
  );
}

function Done() {
  const withNext = useNext();
  return (
    <AuthPage title="All set">
      <Notice kind="success">Your password has been set. You can log in now.</Notice>
      <LinkButton primary to={withNext("/login")}>
        Go to Login
      </LinkButton>
    </AuthPage>
  );
}

function NoLink({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const withNext = useNext();
  const { message, code } = friendlyError(error);
  if (code !== "auth/invalid-action-code") return <Retry error={error} onRetry={onRetry} />;
  return (
    <>
      <Notice>{message}</Notice>
      <p>
        <TextLink to={withNext("/reset-password")}>Ask for a new link</TextLink>
      </p>
      <p>Administrators: ask the person who runs this installation for a new link.</p>
    </>
  );
}
