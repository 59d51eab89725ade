import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "#domain/error-catalogue.ts";
import { hasCode } from "#domain/friendly-error.ts";
import { confirmWithPasskey } from "../lib/passkeys.ts";
import { settleConfirmation } from "../lib/recent-login.ts";
import { api, rpc } from "../lib/rpc.ts";
import { useViewer } from "../lib/viewer.ts";
import login from "../screens/login/login.module.css";
import classes from "../ui/dialog.module.css";
import { Dialog } from "../ui/dialog.tsx";
import { CodeField, PasswordField } from "../ui/form/fields.tsx";
import { PasskeyButton } from "../ui/form/form.tsx";
import { ModalForm } from "../ui/modal-form.tsx";

/** Asks for the password again, above the form that was sent; the form is sent once more when the password is right. */
export default function ConfirmIdentity() {
  const viewer = useViewer();
  const { data } = useQuery(api.signInMethods.mine.queryOptions());
  const hasPasskey = data !== undefined && data.passkeys.length > 0;
  const [asksForCode, setAsksForCode] = useState(false);
  const cancel = () => settleConfirmation(false);
  async function send(credentials: { password: string; code?: string }) {
    try {
      await rpc.account.confirmIdentity(credentials);
      return true;
    } catch (error) {
      if (!hasCode(error, "account/second-factor") || asksForCode) throw error;
      setAsksForCode(true);
      return false;
    }
  }
  return (
    <Dialog opened onClose={cancel} title="Confirm it's you">
      <ModalForm
        errorTitle="Not confirmed"
        fields={asksForCode ? ["password", "code"] : ["password"]}
        check={() => null}
        send={send}
        onDone={() => settleConfirmation(true)}
        action="Confirm"
        busyText="Checking..."
        cancel="Not now"
        onCancel={cancel}
      >
        <p className={classes.words}>We're checking that it's still you. What you've entered is kept.</p>
        {/* Password managers look for the account here. */}
        <input hidden readOnly autoComplete="username" value={viewer?.email ?? ""} />
        <PasswordField name="password" label="Password" autoComplete="current-password" />
        {asksForCode && <CodeField focused orRecovery description={messageOf["account/second-factor"]} />}
      </ModalForm>
      {hasPasskey && (
        <div className={login.passkey}>
          <PasskeyButton
            errorTitle="Not confirmed"
            use={confirmWithPasskey}
            onDone={() => settleConfirmation(true)}
          >
            Use a passkey
          </PasskeyButton>
        </div>
      )}
    </Dialog>
  );
}
