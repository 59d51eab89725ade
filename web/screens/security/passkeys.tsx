import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { mostPasskeys, passkeyNameLimit, passkeyNameProblem } from "#domain/passkey.ts";
import { lastFactorWords } from "#domain/second-factor.ts";
import { announce } from "../../lib/announce.ts";
import { useFormats } from "../../lib/format-date.ts";
import { addPasskey } from "../../lib/passkeys.ts";
import { rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { TextField } from "../../ui/form/fields.tsx";
import { Item, ItemList } from "../../ui/item-list.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { readAgain, type SignInMethods, useGoHome } from "./sign-in-methods.ts";

type Passkey = SignInMethods["passkeys"][number];

/** The passkeys of the account, which log in without a password or a code. */
export function Passkeys({ methods, mayAdd }: { methods: SignInMethods; mayAdd: boolean }) {
  const { passkeys, authenticator, isRequired } = methods;
  const isLast = isRequired && authenticator === null && passkeys.length === 1;
  const goHome = useGoHome();
  const add = useMutation({
    mutationFn: addPasskey,
    onSuccess: async () => {
      await readAgain();
      announce("Your passkey is ready. You can log in with it from now on.");
      goHome();
    },
  });
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [passkeyToRemove, setPasskeyToRemove] = useState<Passkey | null>(null);
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
        <>
          <p>Log in with your fingerprint, your face or your screen lock, without a password or a code.</p>
          {isLast && <p>{lastFactorWords.passkey}</p>}
        </>
      }
      actions={
        mayAdd &&
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
        <ItemList label="Passkeys">
          {passkeys.map((passkey) => (
            <PasskeyItem
              key={passkey.id}
              passkey={passkey}
              busy={remove.isPending && remove.variables.id === passkey.id}
              onRename={() => setRenamed(passkey)}
              onRemove={isLast ? null : () => setPasskeyToRemove(passkey)}
            />
          ))}
        </ItemList>
      )}
      <RenameDialog passkey={renamed} onClose={() => setRenamed(null)} />
      <ConfirmModal
        question={
          passkeyToRemove && {
            title: "Remove passkey",
            text: `You won't be able to log in with ${passkeyToRemove.name} any more. Your device may still offer it: you can delete it there too.`,
            action: "Remove",
          }
        }
        onCancel={() => setPasskeyToRemove(null)}
        onConfirm={() => {
          setPasskeyToRemove(null);
          if (passkeyToRemove) remove.mutate(passkeyToRemove);
        }}
      />
      <ErrorModal
        title="Passkey Error"
        error={failure}
        onClose={() => {
          add.reset();
          remove.reset();
        }}
      />
    </Item>
  );
}

type PasskeyItemProps = {
  passkey: Passkey;
  busy: boolean;
  onRename: () => void;
  /** Null if it is the last factor of an account that needs one. */
  onRemove: (() => void) | null;
};

function PasskeyItem({ passkey: { name, since, lastUsed }, busy, onRename, onRemove }: PasskeyItemProps) {
  const { formatDate, formatMoment } = useFormats();
  return (
    <Item
      name={name}
      level={3}
      details={
        <p>
          Added on {formatDate(since)}
          {lastUsed && `, last used ${formatMoment(lastUsed)}`}
        </p>
      }
      actions={
        <>
          <Button variant="default" aria-label={`Rename ${name}`} onClick={onRename}>
            Rename
          </Button>
          {onRemove && (
            <Button variant="default" aria-label={`Remove ${name}`} disabled={busy} onClick={onRemove}>
              Remove
            </Button>
          )}
        </>
      }
    />
  );
}

const RenameDialog = ({ passkey, onClose }: { passkey: Passkey | null; onClose: () => void }) => (
  <Dialog opened={passkey !== null} onClose={onClose} title="Rename passkey">
    {passkey && (
      <ModalForm
        errorTitle="Not renamed"
        fields={["name"]}
        check={({ name }) => passkeyNameProblem(name)}
        send={async ({ name }) => {
          await rpc.signInMethods.renamePasskey({ id: passkey.id, name });
          await readAgain();
        }}
        onDone={onClose}
        action="Save"
        busyText="Saving..."
        onCancel={onClose}
      >
        <TextField name="name" label="Name" defaultValue={passkey.name} maxLength={passkeyNameLimit} />
      </ModalForm>
    )}
  </Dialog>
);
