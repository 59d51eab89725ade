import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { limits } from "#domain/account.ts";
import { emailProblem } from "#domain/sign-in.ts";
import { rpc } from "../../lib/rpc.ts";
import { Form } from "../../ui/form/form.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { Notice } from "../../ui/notice.tsx";

/** Asks for the mailed link, in the modal (with Cancel) and on the screen (spec 2, 5, 8). */
export function ResetRequest({ onCancel }: { onCancel?: () => void }) {
  const [sent, setSent] = useState(false);
  async function send(values: { email: string }) {
    setSent(false);
    await rpc.account.requestPasswordReset(values);
    setSent(true);
  }
  return (
    <>
      {sent && (
        <Notice kind="success">Password reset email sent! Please check your inbox and spam folder.</Notice>
      )}
      <Form
        errorTitle="Reset Password Error"
        fields={["email"]}
        check={({ email }) => emailProblem(email)}
        send={send}
      >
        <Text c="dimmed">Tell us your email address and we send you a link to set a new password.</Text>
        <TextField name="email" label="Email" type="email" autoComplete="username" maxLength={limits.email} />
        <Group justify="flex-end">
          {onCancel && (
            <Button variant="default" size="md" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <SubmitButton busyText="Sending..." fullWidth={!onCancel}>
            Send Reset Link
          </SubmitButton>
        </Group>
      </Form>
    </>
  );
}
