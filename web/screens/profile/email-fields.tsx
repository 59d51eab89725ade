import { useState } from "react";
import { isAnotherEmail } from "#domain/email-change.ts";
import { profileLimits } from "#domain/profile.ts";
import { PasswordField } from "../../ui/form/password-field.tsx";
import { TextField } from "../../ui/form/text-field.tsx";

type EmailFieldsProps = {
  field: { name: string; label: string; defaultValue: string; required: boolean; withAsterisk: boolean };
  /** The address that holds now. */
  currentEmail: string;
};

/** The email; another one takes the password and a mailed confirmation. */
export function EmailFields({ field, currentEmail }: EmailFieldsProps) {
  const [typed, setTyped] = useState(field.defaultValue);
  const isAnother = isAnotherEmail(typed, currentEmail);
  return (
    <>
      <TextField
        {...field}
        type="email"
        autoComplete="email"
        maxLength={profileLimits.email}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {isAnother && (
        <PasswordField
          name="password"
          label="Your password"
          description={`We'll email a confirmation link to the new address. Until you confirm, you keep using ${currentEmail}.`}
          autoComplete="current-password"
        />
      )}
    </>
  );
}
