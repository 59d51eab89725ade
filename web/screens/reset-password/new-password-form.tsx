import { lazy, Suspense } from "react";
import { newPasswordProblem } from "#domain/password.ts";
import { whenOnline } from "../../lib/online.ts";
import { rpc } from "../../lib/rpc.ts";
import { AuthPage } from "../../ui/auth-page.tsx";
import { Form } from "../../ui/form/form.tsx";
import { NewPasswordField } from "../../ui/form/new-password-field.tsx";
import { PasswordField } from "../../ui/form/password-field.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";

/** Lazy-loaded: only admins who need a second factor see it. */
const Authenticator = lazy(whenOnline(() => import("./authenticator.tsx")));

type NewPasswordFormProps = {
  token: string;
  isAdmin: boolean;
  minLength: number;
  secondFactor: { key: string; uri: string } | null;
  onDone: () => void;
};

export function NewPasswordForm({ token, isAdmin, minLength, secondFactor, onDone }: NewPasswordFormProps) {
  async function send(values: { password: string; confirmPassword: string; code?: string }) {
    await rpc.account.setPassword({ token, ...values });
    onDone();
  }
  return (
    <AuthPage
      title={isAdmin ? "Set your administrator password" : "Set a new password"}
      lead={`At least ${minLength} characters. You'll be logged out on all devices.`}
    >
      <Form
        errorTitle="Reset Password Error"
        fields={secondFactor ? ["password", "confirmPassword", "code"] : ["password", "confirmPassword"]}
        check={(values) => newPasswordProblem(values, { minLength })}
        send={send}
      >
        <NewPasswordField name="password" label="New password" />
        <PasswordField name="confirmPassword" label="Confirm password" autoComplete="new-password" />
        {secondFactor && (
          <Suspense>
            <Authenticator factor={secondFactor} />
          </Suspense>
        )}
        <SubmitButton busyText="Saving...">Set password</SubmitButton>
      </Form>
    </AuthPage>
  );
}
