import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { friendlyError } from "#domain/friendly-error.ts";
import { newPasswordProblem } from "#domain/password.ts";
import { outcomeSentences, type SetPasswordOutcome } from "#domain/set-password-outcome.ts";
import { noReferrer, publicMeta, tokenOnly } from "../../lib/page-meta.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { useMailedToken } from "../../lib/use-mailed-token.ts";
import { useNext } from "../../lib/use-next.ts";
import { Aside, AuthPage } from "../../ui/auth-page.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/form/fields.tsx";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { NewPasswordField } from "../../ui/form/new-password-field.tsx";
import { late } from "../../ui/late.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { ResetRequest } from "./reset-request.tsx";

/** Lazy-loaded: only admins who need two-step login see it. */
const AuthenticatorSetup = late(() => import("./authenticator-setup.tsx"));

const description = "Forgot your Wayfare password? We'll email you a link to set a new one.";
export const meta = () => [...publicMeta("/reset-password", "Reset password", description), noReferrer];

/** The HTML differs with and without a token: the link's own screen, or the request for a link. */
export const handle = tokenOnly;

export default function ResetPassword() {
  const token = useMailedToken();
  if (token === undefined) return <NotKnownYet />;
  return token ? <SetPassword token={token} /> : <AskForLink />;
}

/** The server's HTML is the same for both screens. It shows neither, so that the wrong one never flashes up. */
const NotKnownYet = () => (
  <AuthPage title="Your password" lead="Use the link we emailed you, or ask for a new one.">
    <Skeleton h={230} label="Loading" />
  </AuthPage>
);

function AskForLink() {
  const withNext = useNext();
  return (
    <AuthPage title="Reset your password">
      <ResetRequest />
      <Aside>
        Remembered it?{" "}
        <LinkButton to={withNext("/login")} size="compact-md">
          Login here
        </LinkButton>
      </Aside>
    </AuthPage>
  );
}

/** The screen of a mailed or printed link: sets a password, or says that the link no longer works. */
function SetPassword({ token }: { token: string }) {
  const [outcome, setOutcome] = useState<SetPasswordOutcome | null>(null);
  const link = useQuery(
    api.account.passwordLink.queryOptions({ input: { token }, staleTime: Number.POSITIVE_INFINITY }),
  );
  if (outcome) return <Done outcome={outcome} />;
  if (link.data) return <NewPasswordForm token={token} link={link.data} onDone={setOutcome} />;
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

function Done({ outcome }: { outcome: SetPasswordOutcome }) {
  const withNext = useNext();
  return (
    <AuthPage title="All set">
      <Notice kind="success">Your password has been set. You can log in now.</Notice>
      {outcomeSentences(outcome).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
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

type NewPasswordFormProps = {
  token: string;
  link: Awaited<ReturnType<typeof rpc.account.passwordLink>>;
  onDone: (outcome: SetPasswordOutcome) => void;
};

function NewPasswordForm({ token, link, onDone }: NewPasswordFormProps) {
  const { purpose, minLength, secondFactor } = link;
  return (
    <AuthPage
      title={purpose === "admin" ? "Set your administrator password" : "Set a new password"}
      lead={`At least ${minLength} characters.${purpose === "admin" ? "" : " You'll be logged out on all devices."}`}
    >
      <Form
        errorTitle="Reset Password Error"
        fields={secondFactor ? ["password", "confirmPassword", "code"] : ["password", "confirmPassword"]}
        check={(values) => newPasswordProblem(values, { minLength })}
        send={async (values) => onDone(await rpc.account.setPassword({ token, ...values }))}
      >
        <NewPasswordField name="password" label="New password" />
        <PasswordField name="confirmPassword" label="Confirm password" autoComplete="new-password" />
        {secondFactor && (
          <Suspense>
            <AuthenticatorSetup factor={secondFactor} />
          </Suspense>
        )}
        <SubmitButton busyText="Saving...">Set password</SubmitButton>
      </Form>
    </AuthPage>
  );
}
