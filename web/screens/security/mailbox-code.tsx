import { useMutation } from "@tanstack/react-query";
import { mailboxCodeDigits } from "#domain/second-factor.ts";
import { announce } from "../../lib/announce.ts";
import { rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { TextField } from "../../ui/form/fields.tsx";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { Item } from "../../ui/item-list.tsx";
import classes from "./security.module.css";
import { readAgain } from "./sign-in-methods.ts";

/** Checks that somebody who must set up two-step login reads the account's mailbox. */
export function MailboxCode() {
  const email = useViewer()?.email ?? "";
  const send = useMutation({
    mutationFn: () => rpc.signInMethods.sendMailboxCode(),
    onSuccess: () => announce("We've emailed you a code."),
  });
  return (
    <Item
      name="First, confirm your email address"
      details={
        <p>
          {send.isSuccess
            ? `We've emailed a code to ${email}. It works for 10 minutes.`
            : `We'll email a code to ${email}, so that nobody who only knows your password can set this up.`}
        </p>
      }
      actions={
        !send.isSuccess && (
          <Button disabled={send.isPending} onClick={() => send.mutate()}>
            Email me a code
          </Button>
        )
      }
    >
      {send.isSuccess && (
        <div className={classes.code}>
          <Form
            errorTitle="Not confirmed"
            fields={["code"]}
            check={() => null}
            send={async (values) => {
              await rpc.signInMethods.proveMailbox(values);
              await readAgain();
            }}
          >
            <TextField
              name="code"
              label="Code from the email"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={mailboxCodeDigits + 2}
            />
            <div className={classes.action}>
              <SubmitButton busyText="Checking...">Continue</SubmitButton>
              <Button variant="subtle" disabled={send.isPending} onClick={() => send.mutate()}>
                Send another code
              </Button>
            </div>
          </Form>
        </div>
      )}
      <ErrorModal title="Not sent" error={send.error} onClose={send.reset} />
    </Item>
  );
}
