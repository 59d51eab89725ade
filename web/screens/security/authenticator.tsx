import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { friendlyError } from "#domain/friendly-error.ts";
import { homePath } from "#protocol/addresses.ts";
import { announce } from "../../lib/announce.ts";
import { useFormats } from "../../lib/format-date.ts";
import { rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Item } from "../../ui/item-list.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { ScanKey } from "./scan-key.tsx";
import { readAgain, type SignInMethods } from "./sign-in-methods.ts";

type Shown =
  | { step: "scan"; factor: { key: string; uri: string } }
  | { step: "codes"; codes: readonly string[]; isNew: boolean };

const titles: Record<Shown["step"], string> = {
  scan: "Set up an authenticator app",
  codes: "Your recovery codes",
};

/** The authenticator app of the account, and the codes for when it is lost. */
export function AuthenticatorApp({ authenticator }: Pick<SignInMethods, "authenticator">) {
  const [shown, setShown] = useState<Shown | null>(null);
  const { formatDate } = useFormats();
  const start = useMutation({
    mutationFn: () => rpc.signInMethods.startAuthenticator(),
    onSuccess: (factor) => setShown({ step: "scan", factor }),
  });
  const close = useClose(() => setShown(null));
  return (
    <>
      <Item
        name="Authenticator app"
        state={
          authenticator ? <StateBadge tone="good">On</StateBadge> : <StateBadge tone="ended">Off</StateBadge>
        }
        details={
          <p>
            {authenticator
              ? `On since ${formatDate(authenticator.since)}. You need a code from your app to log in.`
              : "A second step when you log in: a code from an app on your phone, so that a stolen password isn't enough."}
          </p>
        }
        actions={
          authenticator ? (
            <TurnOff />
          ) : (
            <Button disabled={start.isPending} onClick={() => start.mutate()}>
              Set up app
            </Button>
          )
        }
      >
        <Dialog opened={shown !== null} onClose={close} title={shown ? titles[shown.step] : ""}>
          {shown?.step === "scan" && (
            <ScanKey
              factor={shown.factor}
              onCancel={close}
              onCodes={(codes) => setShown({ step: "codes", codes, isNew: true })}
            />
          )}
          {shown?.step === "codes" && <RecoveryCodes codes={shown.codes} onDone={close} />}
        </Dialog>
        <ErrorModal
          title="Not set up"
          error={start.error && friendlyError(start.error)}
          onClose={start.reset}
        />
      </Item>
      {authenticator && (
        <Codes
          left={authenticator.recoveryCodes}
          onCodes={(codes) => setShown({ step: "codes", codes, isNew: false })}
        />
      )}
    </>
  );
}

/** Who could do nothing without a second factor goes home as soon as they have one. */
function useClose(hide: () => void) {
  const navigate = useNavigate();
  const viewer = useViewer();
  const [lacked] = useState(viewer?.lacksSecondFactor ?? false);
  return () => {
    hide();
    if (lacked && viewer && !viewer.lacksSecondFactor) void navigate(homePath(viewer));
  };
}

function TurnOff() {
  const [asked, setAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => rpc.signInMethods.removeAuthenticator(),
    onSuccess: () => announce("Your authenticator app is turned off."),
    onSettled: readAgain,
  });
  return (
    <>
      <Button variant="default" disabled={remove.isPending} onClick={() => setAsked(true)}>
        Turn off app
      </Button>
      <ConfirmModal
        question={
          asked
            ? {
                title: "Turn off the authenticator app",
                text: "You'll log in without a code from it, and your recovery codes will stop working.",
                action: "Turn off",
              }
            : null
        }
        onCancel={() => setAsked(false)}
        onConfirm={() => {
          setAsked(false);
          remove.mutate();
        }}
      />
      <ErrorModal
        title="Not turned off"
        error={remove.error && friendlyError(remove.error)}
        onClose={remove.reset}
      />
    </>
  );
}

function Codes({ left, onCodes }: { left: number; onCodes: (codes: readonly string[]) => void }) {
  const [asked, setAsked] = useState(false);
  const renew = useMutation({
    mutationFn: () => rpc.signInMethods.renewRecoveryCodes(),
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
    onSettled: readAgain,
  });
  return (
    <Item
      name="Recovery codes"
      state={<StateBadge tone={left > 2 ? "good" : "asks"}>{`${left} left`}</StateBadge>}
      details={<p>For when you don't have your phone. Each works once in place of a code from your app.</p>}
      actions={
        <Button variant="default" disabled={renew.isPending} onClick={() => setAsked(true)}>
          New codes
        </Button>
      }
    >
      <ConfirmModal
        question={
          asked
            ? {
                title: "New recovery codes",
                text: "The codes you have now will stop working.",
                action: "Make new codes",
                harmless: true,
              }
            : null
        }
        onCancel={() => setAsked(false)}
        onConfirm={() => {
          setAsked(false);
          renew.mutate();
        }}
      />
      <ErrorModal
        title="No new codes"
        error={renew.error && friendlyError(renew.error)}
        onClose={renew.reset}
      />
    </Item>
  );
}
