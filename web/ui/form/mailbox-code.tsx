import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { mailboxCodeDigits } from "#domain/second-factor.ts";
import { announce } from "../../lib/announce.ts";
import { rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../button.tsx";
import { ErrorModal } from "../error-modal.tsx";
import { TextField } from "./fields.tsx";
import { Form, SubmitButton } from "./form.tsx";
import classes from "./mailbox-code.module.css";

type MailboxCodeProps = {
  /** The end of a sentence: "so that nobody who only knows your password can …". */
  purpose: string;
  /** The text of the button that checks the code and goes on. */
  action: string;
  onConfirmed: () => unknown;
};

/** Proves for this session that the person has access to the account's mailbox, by an emailed code. */
export function MailboxCode({ purpose, action, onConfirmed }: MailboxCodeProps) {
  const email = useViewer()?.email ?? "";
  const [isSent, setIsSent] = useState(false);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => rpc.signInMethods.sendMailboxCode(),
    onSuccess: () => {
      setIsSent(true);
      announce("We've emailed you a code.");
    },
  });
  return (
    <>
      <p className={classes.words}>
        {isSent
          ? `We've emailed a code to ${email}. It works for 10 minutes.`
          : `We'll email a code to ${email}, so that nobody who only knows your password can ${purpose}.`}
      </p>
      <div className={classes.code}>
        {isSent ? (
          <Form
            errorTitle="Not confirmed"
            fields={["code"]}
            check={() => null}
            send={async (values) => {
              await rpc.signInMethods.proveMailbox(values);
              await onConfirmed();
            }}
          >
            <TextField
              name="code"
              label="Code from the email"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={mailboxCodeDigits + 2}
            />
            <div className={classes.actions}>
              <SubmitButton busyText="Checking...">{action}</SubmitButton>
              <Button variant="subtle" disabled={isPending} onClick={() => mutate()}>
                Send another code
              </Button>
            </div>
          </Form>
        ) : (
          <Button disabled={isPending} onClick={() => mutate()}>
            Email me a code
          </Button>
        )}
      </div>
      <ErrorModal title="Not sent" error={error} onClose={reset} />
    </>
  );
}
