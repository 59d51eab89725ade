import { useState } from "react";
import { adminPasswordMinLength } from "#domain/account.ts";
import { type PasswordChange, passwordChangeProblem } from "#domain/password.ts";
import { announce } from "../../lib/announce.ts";
import { configuration } from "../../lib/configuration.ts";
import { rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import classes from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { PasswordField } from "../../ui/form/fields.tsx";
import { NewPasswordField } from "../../ui/form/new-password-field.tsx";
import { Item } from "../../ui/item-list.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { endsAccess, OtherAccess } from "./other-access.tsx";
import { readAgain } from "./sign-in-methods.ts";

const fields = ["currentPassword", "password", "confirmPassword", endsAccess] as const;

export function Password() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const viewer = useViewer();
  const minLength = Math.max(
    configuration().passwordMinLength,
    viewer?.role === "admin" ? adminPasswordMinLength : 0,
  );
  return (
    <Item
      name="Password"
      details={<p>{`At least ${minLength} characters, and one you don't use anywhere else.`}</p>}
      actions={
        <Button variant="default" onClick={() => setOpen(true)}>
          Change password
        </Button>
      }
    >
      <Dialog opened={isOpen} onClose={close} title="Change password">
        <ModalForm
          errorTitle="Password not changed"
          fields={fields}
          check={(form: PasswordChange) => passwordChangeProblem(form, { minLength })}
          send={async (form) => {
            await rpc.account.changePassword({ ...form, endsAccess: form.endsAccess !== "" });
            await readAgain();
          }}
          onDone={() => {
            close();
            announce("Your password has been changed. All other devices are logged out.");
          }}
          action="Change password"
          busyText="Saving..."
          onCancel={close}
        >
          <p className={classes.words}>All your other devices will be logged out.</p>
          <input hidden readOnly autoComplete="username" value={viewer?.email ?? ""} />
          <PasswordField name="currentPassword" label="Current password" autoComplete="current-password" />
          <NewPasswordField
            name="password"
            label="New password"
            ownWords={viewer ? [viewer.email, viewer.firstName, viewer.lastName] : []}
          />
          <PasswordField name="confirmPassword" label="Confirm new password" autoComplete="new-password" />
          <OtherAccess />
        </ModalForm>
      </Dialog>
    </Item>
  );
}
