import { Anchor, Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { friendlyError } from "#domain/friendly-error.ts";
import { api } from "../../lib/rpc.ts";
import { AuthPage } from "../../ui/auth-page.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Retry } from "../../ui/retry.tsx";
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
      {link.error ? <NoLink error={link.error} onRetry={() => void link.refetch()} /> : <Skeleton h={230} />}
    </AuthPage>
  );
}

function Done() {
  return (
    <AuthPage title="All set">
      <Notice kind="success">Your password has been set. You can log in now.</Notice>
      <Button component={Link} to="/login" size="md">
        Go to Login
      </Button>
    </AuthPage>
  );
}

function NoLink({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { message, code } = friendlyError(error);
  if (code !== "auth/invalid-action-code") return <Retry error={error} onRetry={onRetry} />;
  return (
    <>
      <Notice>{message}</Notice>
      <p>
        <Anchor component={Link} to="/reset-password">
          Ask for a new link
        </Anchor>
      </p>
      <p>Administrators: ask whoever runs this installation for a new set-password link.</p>
    </>
  );
}
