import { useQuery } from "@tanstack/react-query";
import { confirmWithPasskey } from "../lib/passkeys.ts";
import { settleConfirmation } from "../lib/recent-login.ts";
import { api, rpc } from "../lib/rpc.ts";
import { useViewer } from "../lib/viewer.ts";
import login from "../screens/login/login.module.css";
import classes from "../ui/dialog.module.css";
import { Dialog } from "../ui/dialog.tsx";
import { PasskeyButton } from "../ui/form/form.tsx";
import { PasswordAndCode, usePasswordAndCode } from "../ui/form/password-and-code.tsx";
import { ModalForm } from "../ui/modal-form.tsx";

/** Asks for the password on top of the submitted form, which is submitted again once the password is correct. */
export default function ConfirmIdentity() {
  const viewer = useViewer();
  const { data } = useQuery(api.signInMethods.mine.queryOptions());
  const hasPasskey = data !== undefined && data.passkeys.length > 0;
  const { asksForCode, ...formProps } = usePasswordAndCode(rpc.account.confirmIdentity);
  const cancel = () => settleConfirmation(false);
  return (
    <Dialog opened onClose={cancel} title="Confirm it's you">
      <ModalForm
        errorTitle="Not confirmed"
        {...formProps}
        check={() => null}
        onDone={() => settleConfirmation(true)}
        action="Confirm"
        busyText="Checking..."
        cancel="Not now"
        onCancel={cancel}
      >
        <p className={classes.words}>We're checking that it's still you. What you've entered is kept.</p>
        {/* Password managers look for the account here. */}
        <input hidden readOnly autoComplete="username" value={viewer?.email ?? ""} />
        <PasswordAndCode asksForCode={asksForCode} />
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
