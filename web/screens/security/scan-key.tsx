import { lazy, Suspense } from "react";
import { whenOnline } from "../../lib/online.ts";
import { rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import classes from "../../ui/dialog.module.css";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import { Form } from "../../ui/form/form.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { readAgain } from "./sign-in-methods.ts";

/** Lazy-loaded: it draws the QR code. */
const Authenticator = lazy(whenOnline(() => import("../reset-password/authenticator.tsx")));

type ScanKeyProps = {
  factor: { key: string; uri: string };
  onCancel: () => void;
  onCodes: (codes: readonly string[]) => void;
};

/** Puts the offered key into an app; a first code shows that it is there. */
export function ScanKey({ factor, onCancel, onCodes }: ScanKeyProps) {
  async function send(typed: { code: string }) {
    const { recoveryCodes } = await rpc.signInMethods.confirmAuthenticator(typed);
    onCodes(recoveryCodes);
    await readAgain();
  }
  return (
    <div className={classes.form}>
      <Form errorTitle="Not set up" fields={["code"]} check={() => null} send={send}>
        <Suspense fallback={<Skeleton h={340} label="Loading" />}>
          <Authenticator factor={factor} />
        </Suspense>
        <DialogActions>
          <Button variant="default" size="md" onClick={onCancel}>
            Cancel
          </Button>
          <SubmitButton busyText="Checking...">Turn on</SubmitButton>
        </DialogActions>
      </Form>
    </div>
  );
}
