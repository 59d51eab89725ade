import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { limits } from "#domain/account.ts";
import { tieWords } from "#domain/deletion.ts";
import { useFormats } from "../../lib/format-date.ts";
import { useHydrated, useQueryOfAddress } from "../../lib/hydration.ts";
import { publicMeta } from "../../lib/page-meta.ts";
import { logInWithPasskey } from "../../lib/passkeys.ts";
import { accountEnd, noteAccountEnd, sessionEndWords } from "../../lib/session-end.ts";
import { useNext } from "../../lib/use-next.ts";
import { Aside, AuthPage } from "../../ui/auth-page.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/form/fields.tsx";
import { Form, PasskeyButton, SubmitButton } from "../../ui/form/form.tsx";
import { PasswordAndCode } from "../../ui/form/password-and-code.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { ResetRequest } from "../reset-password/reset-request.tsx";
import classes from "./login.module.css";
import { useSignIn } from "./use-sign-in.ts";

export const meta = () =>
  publicMeta("/login", "Login", "Log in to Wayfare to follow your applications and your bids.");

export default function Login() {
  const { asksForCode, ...formProps } = useSignIn();
  const withNext = useNext();
  const email = useRef<HTMLInputElement>(null);
  return (
    <AuthPage title="Welcome back" lead="Log in to pick up where you left off.">
      <Reason />
      <Form errorTitle="Login Error" {...formProps}>
        <TextField
          ref={email}
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          maxLength={limits.email}
        />
        <PasswordAndCode asksForCode={asksForCode} />
        <SubmitButton busyText="Logging in...">Login</SubmitButton>
      </Form>
      <div className={classes.passkey}>
        <PasskeyButton errorTitle="Login Error" use={logInWithPasskey}>
          Log in with a passkey
        </PasskeyButton>
      </div>
      <Aside>
        Forgot your password? <ResetLink typedEmail={() => email.current?.value.trim() ?? ""} />
      </Aside>
      <Aside>
        New to Wayfare?{" "}
        <LinkButton to={withNext("/signup")} size="compact-md">
          Sign up here!
        </LinkButton>
      </Aside>
    </AuthPage>
  );
}

/** The login screen's messages for visitors who come from one of these screens. */
const reasons: Readonly<Record<string, string>> = {
  "upload-product": "You must be logged in to upload a product.",
  product: "You must be logged in to place a bid.",
};

/** Returns the message for the address to go on to after login; null for most. */
const loginReason = (next: string | null): string | null => reasons[next?.split(/[/?]/, 2)[1] ?? ""] ?? null;

/** Returns the date until which an account is kept whose deletion was just requested, and why; otherwise null. */
function useFarewell(): ReactNode {
  const [end] = useState(accountEnd);
  const { formatDate } = useFormats();
  useEffect(() => () => noteAccountEnd(null), []);
  if (!end) return null;
  const { dueAt, ties } = end;
  return (
    <>
      Your account will be deleted on {formatDate(dueAt)}. Changed your mind? Log in before then to keep it.
      {ties.length > 0 && (
        <>
          {" "}
          It takes that long because bids and sales are binding:
          {ties.map((tie) => (
            <span key={`${tie.kind} ${tie.product} ${tie.until.getTime()}`} className={classes.tie}>
              {tieWords(tie)} (until {formatDate(tie.until)})
            </span>
          ))}
        </>
      )}
    </>
  );
}

/** Says why the visitor was sent here: an ended session, or the requested screen. */
function Reason() {
  const search = useQueryOfAddress();
  const { state } = useLocation();
  const hydrated = useHydrated();
  const farewell = useFarewell();
  const reason = (hydrated ? (farewell ?? sessionEndWords(state)) : null) ?? loginReason(search.get("next"));
  return reason && <Notice>{reason}</Notice>;
}

/**
 * Opens the password reset modal with the address from the login form. In a new tab, or before hydration, it leads to
 * the reset screen instead.
 */
function ResetLink({ typedEmail }: { typedEmail: () => string }) {
  const withNext = useNext();
  const [email, setEmail] = useState<string | null>(null);
  const close = () => setEmail(null);
  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    setEmail(typedEmail());
  }
  return (
    <>
      <TextLink to={withNext("/reset-password")} onClick={open} aria-haspopup="dialog">
        Reset here
      </TextLink>
      <Dialog opened={email !== null} onClose={close} title="Reset your password">
        <ResetRequest email={email ?? ""} onCancel={close} />
      </Dialog>
    </>
  );
}
