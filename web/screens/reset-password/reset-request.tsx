import { useState } from "react";
import { limits } from "#domain/account.ts";
import { resetProblem } from "#domain/sign-in.ts";
import { rpc } from "../../lib/rpc.ts";
import { useRequestedAddress } from "../../lib/use-next.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/form/fields.tsx";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import classes from "./reset-request.module.css";

/** `email` is the address that was already typed at login. */
type ResetRequestProps = { email?: string; onCancel?: () => void };

/** Asks for the mailed link, in the modal (with Cancel) and on the screen. */
export function ResetRequest({ email, onCancel }: ResetRequestProps) {
  const [isSent, setSent] = useState(false);
  const next = useRequestedAddress();
  async function send(values: { email: string }) {
    setSent(false);
    await rpc.account.requestPasswordReset({ ...values, next });
    setSent(true);
  }
  return (
    <>
      {isSent && (
        <Notice kind="success">Password reset email sent! Please check your inbox and spam folder.</Notice>
      )}
      <Form
        errorTitle="Reset Password Error"
        fields={["email"]}
        check={({ email }) => resetProblem(email)}
        send={send}
      >
        <p className={classes.lead}>
          Enter your email address and we'll send you a link to set a new password.
        </p>
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          maxLength={limits.email}
        />
        <div className={classes.buttons}>
          {onCancel && (
            <Button variant="default" size="md" onClick={onCancel}>
              {isSent ? "Done" : "Cancel"}
            </Button>
          )}
          <SubmitButton busyText="Sending..." fullWidth={!onCancel}>
            Send Reset Link
          </SubmitButton>
        </div>
      </Form>
    </>
  );
}
