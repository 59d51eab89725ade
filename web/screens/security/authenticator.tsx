import { useMutation } from "@tanstack/react-query";
import { type ComponentProps, Suspense, useState } from "react";
import { lastFactorWords } from "#domain/second-factor.ts";
import { announce } from "../../lib/announce.ts";
import { copy } from "../../lib/copy.ts";
import { useFormats } from "../../lib/format-date.ts";
import { rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Item } from "../../ui/item-list.tsx";
import { late } from "../../ui/late.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import classes from "./security.module.css";
import { readAgain, type SignInMethods, useGoHome } from "./sign-in-methods.ts";

/** Lazy-loaded, because it renders the QR code. */
const AuthenticatorSetup = late(() => import("../reset-password/authenticator-setup.tsx"));

type DialogContent =
  | { step: "scan"; factor: { key: string; uri: string } }
  | { step: "codes"; codes: readonly string[] };

const titles: Record<DialogContent["step"], string> = {
  scan: "Set up an authenticator app",
  codes: "Your recovery codes",
};

type AuthenticatorAppProps = { methods: SignInMethods; mayAdd: boolean };

/** The authenticator app of the account, and the codes for when it is lost. */
export function AuthenticatorApp({ methods, mayAdd }: AuthenticatorAppProps) {
  const { authenticator, passkeys, isRequired } = methods;
  const isLast = isRequired && passkeys.length === 0;
  const [dialog, setDialog] = useState<DialogContent | null>(null);
  const { formatDate } = useFormats();
  const goHome = useGoHome();
  const start = useMutation({
    mutationFn: () => rpc.signInMethods.startAuthenticator(),
    onSuccess: (factor) => setDialog({ step: "scan", factor }),
  });
  const showCodes = (codes: readonly string[]) => setDialog({ step: "codes", codes });
  function close() {
    setDialog(null);
    if (dialog?.step === "codes") goHome();
  }
  return (
    <>
      <Item
        name="Authenticator app"
        state={
          authenticator ? <StateBadge tone="good">On</StateBadge> : <StateBadge tone="ended">Off</StateBadge>
        }
        details={
          <>
            <p>
              {authenticator
                ? `On since ${formatDate(authenticator.since)}. You need a code from your app to log in.`
                : "Ask for a code from an app on your phone when you log in, so a stolen password isn't enough."}
            </p>
            {authenticator && isLast && <p>{lastFactorWords.authenticator}</p>}
          </>
        }
        actions={
          authenticator
            ? !isLast && <TurnOff />
            : mayAdd && (
                <Button disabled={start.isPending} onClick={() => start.mutate()}>
                  Set up app
                </Button>
              )
        }
      >
        <Dialog
          opened={dialog !== null}
          onClose={dialog?.step === "codes" ? undefined : close}
          title={dialog ? titles[dialog.step] : ""}
        >
          {dialog?.step === "scan" && <ScanKey factor={dialog.factor} onCancel={close} onCodes={showCodes} />}
          {dialog?.step === "codes" && <RecoveryCodes codes={dialog.codes} onDone={close} />}
        </Dialog>
        <ErrorModal title="Not set up" error={start.error} onClose={start.reset} />
      </Item>
      {authenticator && (
        <Item
          name="Recovery codes"
          state={
            <StateBadge tone={authenticator.recoveryCodes > 2 ? "good" : "asks"}>
              {`${authenticator.recoveryCodes} left`}
            </StateBadge>
          }
          details={
            <p>For when you don't have your phone. Each works once in place of a code from your app.</p>
          }
          actions={<RenewCodes onCodes={showCodes} />}
        />
      )}
    </>
  );
}

const TurnOff = () => (
  <ConfirmedButton
    question={{
      title: "Turn off the authenticator app",
      text: "You'll log in without a code from it, and your recovery codes will stop working.",
      action: "Turn off",
    }}
    carryOut={async () => {
      await rpc.signInMethods.removeAuthenticator();
      announce("Your authenticator app is turned off.");
    }}
    errorTitle="Not turned off"
  >
    Turn off app
  </ConfirmedButton>
);

const RenewCodes = ({ onCodes }: { onCodes: (codes: readonly string[]) => void }) => (
  <ConfirmedButton
    question={{
      title: "New recovery codes",
      text: "The codes you have now will stop working.",
      action: "Make new codes",
      harmless: true,
    }}
    carryOut={async () => onCodes((await rpc.signInMethods.renewRecoveryCodes()).recoveryCodes)}
    errorTitle="No new codes"
  >
    New codes
  </ConfirmedButton>
);

type ConfirmedButtonProps = Pick<ComponentProps<typeof ConfirmModal>, "question"> & {
  carryOut: () => Promise<void>;
  errorTitle: string;
  children: string;
};

/** A button for a change that must be confirmed first. */
function ConfirmedButton({ question, carryOut, errorTitle, children }: ConfirmedButtonProps) {
  const [isAsked, setAsked] = useState(false);
  const { mutate, isPending, error, reset } = useMutation({ mutationFn: carryOut, onSettled: readAgain });
  return (
    <>
      <Button variant="default" disabled={isPending} onClick={() => setAsked(true)}>
        {children}
      </Button>
      <ConfirmModal
        question={isAsked ? question : null}
        onCancel={() => setAsked(false)}
        onConfirm={() => {
          setAsked(false);
          mutate();
        }}
      />
      <ErrorModal title={errorTitle} error={error} onClose={reset} />
    </>
  );
}

type ScanKeyProps = {
  factor: { key: string; uri: string };
  onCancel: () => void;
  onCodes: (codes: readonly string[]) => void;
};

/** Adds the offered key to an app; a first code proves that it worked. */
const ScanKey = ({ factor, onCancel, onCodes }: ScanKeyProps) => (
  <ModalForm
    errorTitle="Not set up"
    fields={["code"]}
    check={() => null}
    send={async (values) => {
      const { recoveryCodes } = await rpc.signInMethods.confirmAuthenticator(values);
      onCodes(recoveryCodes);
      await readAgain();
    }}
    action="Turn on"
    busyText="Checking..."
    onCancel={onCancel}
  >
    <Suspense fallback={<Skeleton h={340} label="Loading" />}>
      <AuthenticatorSetup factor={factor} />
    </Suspense>
  </ModalForm>
);

/** The recovery codes of an account, shown only this once, to be copied, saved or written down. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = `${codes.join("\n")}\n`;
  return (
    <>
      <p className={dialog.words}>
        Keep these somewhere safe, away from your phone. Each works once in place of a code from your app. You
        won't see them again.
      </p>
      <ol className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={classes.action}>
        <Button variant="default" onClick={() => void copy(text)}>
          Copy
        </Button>
        <Button variant="default" onClick={() => download(text)}>
          Download
        </Button>
      </div>
      <DialogActions>
        <Button onClick={onDone}>I've saved them</Button>
      </DialogActions>
    </>
  );
}

function download(text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "wayfare-recovery-codes.txt";
  link.click();
  URL.revokeObjectURL(url);
}
