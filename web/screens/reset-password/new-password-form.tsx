import { newPasswordProblem } from "#domain/password.ts";
import { rpc } from "../../lib/rpc.ts";
import { AuthPage } from "../../ui/auth-page.tsx";
import { Form } from "../../ui/form/form.tsx";
import { PasswordField } from "../../ui/form/password-field.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";

type NewPasswordFormProps = { token: string; isAdmin: boolean; minLength: number; onDone: () => void };

export function NewPasswordForm({ token, isAdmin, minLength, onDone }: NewPasswordFormProps) {
  async function send(values: { password: string; confirmPassword: string }) {
    await rpc.account.setPassword({ token, ...values });
    onDone();
  }
  return (
    <AuthPage
      title={isAdmin ? "Set your administrator password" : "Set a new password"}
      lead={`At least ${minLength} characters. Every device that is logged in will have to log in again.`}
    >
      <Form
        errorTitle="Reset Password Error"
        fields={["password", "confirmPassword"]}
        check={(values) => newPasswordProblem(values, { minLength })}
        send={send}
      >
        <PasswordField name="password" label="New password" autoComplete="new-password" />
        <PasswordField name="confirmPassword" label="Confirm password" autoComplete="new-password" />
        <SubmitButton busyText="Saving...">Set password</SubmitButton>
      </Form>
    </AuthPage>
  );
}
