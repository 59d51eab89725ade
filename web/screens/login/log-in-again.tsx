import { limits } from "#domain/account.ts";
import { logInWithPasskey } from "../../lib/passkeys.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import classes from "../../ui/dialog.module.css";
import { DialogActions } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/form/fields.tsx";
import { Form, PasskeyButton, SubmitButton } from "../../ui/form/form.tsx";
import { PasswordAndCode } from "../../ui/form/password-and-code.tsx";
import login from "./login.module.css";
import { useSignIn } from "./use-sign-in.ts";

/** Logs in without leaving the screen, after the session has ended in the middle of work. */
export default function LogInAgain({ onClose }: { onClose: () => void }) {
  const { asksForCode, ...formProps } = useSignIn();
  const viewer = useViewer();
  return (
    <div className={classes.form}>
      <Form errorTitle="Login Error" {...formProps} onDone={onClose}>
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          defaultValue={viewer?.email}
          maxLength={limits.email}
        />
        <PasswordAndCode asksForCode={asksForCode} />
        <DialogActions>
          <Button variant="default" size="md" onClick={onClose}>
            Not now
          </Button>
          <SubmitButton busyText="Logging in...">Login</SubmitButton>
        </DialogActions>
      </Form>
      <div className={login.passkey}>
        <PasskeyButton errorTitle="Login Error" use={logInWithPasskey} onDone={onClose}>
          Log in with a passkey
        </PasskeyButton>
      </div>
    </div>
  );
}
