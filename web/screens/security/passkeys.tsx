import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { friendlyError } from "#domain/friendly-error.ts";
import { mostPasskeys, passkeyNameLimit, passkeyNameProblem } from "#domain/passkey.ts";
import { homePath } from "#protocol/addresses.ts";
import { announce } from "../../lib/announce.ts";
import { useFormats } from "../../lib/format-date.ts";
import { addPasskey } from "../../lib/passkeys.ts";
import { rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Form } from "../../ui/form/form.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { readAgain, type SignInMethods } from "./sign-in-methods.ts";

type Passkey = SignInMethods["passkeys"][number];

/** The passkeys of the account: what logs in without a password and without a code. */
export function Passkeys({ passkeys }: Pick<SignInMethods, "passkeys">) {
  const add = useAdd();
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [doubted, setDoubted] = useState<Passkey | null>(null);
  const remove = useMutation({
    mutationFn: ({ id }: Passkey) => rpc.signInMethods.removePasskey({ id }),
    onSuccess: (_done, { name }) => announce(`${name} is removed.`),
    onSettled: readAgain,
  });
  const failure = add.error ?? remove.error;
  return (
    <Item
      name="Passkeys"
      details={
        <p>Log in with your fingerprint, your face or your screen lock, without a password or a code.</p>
      }
      actions={
        passkeys.length < mostPasskeys && (
          <Button
            variant={passkeys.length === 0 ? "filled" : "default"}
            disabled={add.isPending}
            onClick={() => add.mutate()}
          >
            {add.isPending ? "Waiting..." : "Add a passkey"}
          </Button>
        )
      }
    >
      {passkeys.length > 0 && (
        <PasskeyList
          passkeys={passkeys}
          busy={remove.isPending ? remove.variables.id : null}
          onRename={setRenamed}
          onRemove={setDoubted}
        />
      )}
      <RenameDialog passkey={renamed} onClose={() => setRenamed(null)} />
      <ConfirmModal
        question={
          doubted && {
            title: "Remove passkey",
            text: `You won't be able to log in with ${doubted.name} any more. Your device may still offer it: you can delete it there too.`,
            action: "Remove",
          }
        }
        onCancel={() => setDoubted(null)}
        onConfirm={() => {
          setDoubted(null);
          if (doubted) remove.mutate(doubted);
        }}
      />
      <ErrorModal
        title="Passkey Error"
        error={failure && friendlyError(failure)}
        onClose={() => {
          add.reset();
          remove.reset();
        }}
      />
    </Item>
  );
}

/** Who could do nothing without a second factor goes home as soon as they have one. */
function useAdd() {
  const viewer = useViewer();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: addPasskey,
    onSuccess: async () => {
      await readAgain();
      announce("Your passkey is ready. You can log in with it from now on.");
      if (viewer?.lacksSecondFactor) await navigate(homePath(viewer));
    },
  });
}

type PasskeyListProps = {
  passkeys: readonly Passkey[];
  /** The id of the one that is being removed. */
  busy: string | null;
  onRename: (passkey: Passkey) => void;
  onRemove: (passkey: Passkey) => void;
};

function PasskeyList({ passkeys, busy, onRename, onRemove }: PasskeyListProps) {
  const { formatDate, formatMoment } = useFormats();
  return (
    <ItemList label="Passkeys">
      {passkeys.map((passkey) => (
        <Item
          key={passkey.id}
          name={passkey.name}
          level={3}
          details={
            <p>
              Added on {formatDate(passkey.since)}
              {passkey.lastUsed && `, last used ${formatMoment(passkey.lastUsed)}`}
            </p>
          }
          actions={
            <>
              <Button
                variant="default"
                aria-label={`Rename ${passkey.name}`}
                onClick={() => onRename(passkey)}
              >
                Rename
              </Button>
              <Button
                variant="default"
                aria-label={`Remove ${passkey.name}`}
                disabled={busy === passkey.id}
                onClick={() => onRemove(passkey)}
              >
                Remove
              </Button>
            </>
          }
        />
      ))}
    </ItemList>
  );
}

function RenameDialog({ passkey, onClose }: { passkey: Passkey | null; onClose: () => void }) {
  return (
    <Dialog opened={passkey !== null} onClose={onClose} title="Rename passkey">
      {passkey && (
        <div className={dialog.form}>
          <Form
            errorTitle="Not renamed"
            fields={["name"]}
            check={({ name }) => passkeyNameProblem(name)}
            send={async ({ name }) => {
              await rpc.signInMethods.renamePasskey({ id: passkey.id, name });
              await readAgain();
            }}
            onDone={onClose}
          >
            <TextField name="name" label="Name" defaultValue={passkey.name} maxLength={passkeyNameLimit} />
            <DialogActions>
              <Button variant="default" size="md" onClick={onClose}>
                Cancel
              </Button>
              <SubmitButton busyText="Saving...">Save</SubmitButton>
            </DialogActions>
          </Form>
        </div>
      )}
    </Dialog>
  );
}
