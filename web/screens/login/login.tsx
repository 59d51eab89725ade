import { useSearchParams } from "react-router";
import { limits } from "#domain/account.ts";
import { messageOf } from "#domain/error-catalogue.ts";
import { publicMeta } from "../../lib/page-meta.ts";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { Aside, AuthPage } from "../../ui/auth-page.tsx";
import { CodeField } from "../../ui/form/code-field.tsx";
import { Form } from "../../ui/form/form.tsx";
import { PasswordField } from "../../ui/form/password-field.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { loginReason } from "./login-reason.ts";
import { ResetLink } from "./reset-link.tsx";
import { useSignIn } from "./use-sign-in.ts";

export const meta = () =>
  publicMeta("/login", "Login", "Log in to Wayfare to follow your applications and your bids.");

export default function Login() {
  const { asksForCode, ...plan } = useSignIn();
  return (
    <AuthPage title="Welcome back" lead="Log in to go on where you left off.">
      <Reason />
      <Form errorTitle="Login Error" {...plan}>
        <TextField name="email" label="Email" type="email" autoComplete="username" maxLength={limits.email} />
        <PasswordField name="password" label="Password" autoComplete="current-password" />
        {asksForCode && <CodeField focused description={messageOf["account/second-factor"]} />}
        <SubmitButton busyText="Logging in...">Login</SubmitButton>
      </Form>
      <Aside>
        Forgot your password? <ResetLink />
      </Aside>
      <Aside>
        New to Wayfare?{" "}
        <LinkButton to="/signup" size="compact-md">
          Sign up here!
        </LinkButton>
      </Aside>
    </AuthPage>
  );
}

/** Why somebody was sent here, where the screen that they asked for says so. */
function Reason() {
  const [search] = useSearchParams();
  const reason = useHydrated() ? loginReason(search.get("next")) : null;
  return reason && <Notice>{reason}</Notice>;
}
