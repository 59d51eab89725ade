import { useEffect, useRef, useState } from "react";
import { limits } from "#domain/account.ts";
import { configuration } from "../../lib/configuration.ts";
import { NewPasswordField } from "../../ui/form/new-password-field.tsx";
import { PasswordField } from "../../ui/form/password-field.tsx";
import { SelectField } from "../../ui/form/select-field.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import classes from "./sign-up-fields.module.css";

const roleOptions = [
  { value: "", label: "Choose one" },
  { value: "student", label: "Student" },
  { value: "agent", label: "Agent" },
];

export function SignUpFields() {
  const { role, select } = useChosenRole();
  return (
    <>
      <SelectField name="role" label="Role" data={roleOptions} {...select} />
      <div className={classes.names}>
        <TextField name="firstName" label="First name" autoComplete="given-name" maxLength={limits.name} />
        <TextField name="lastName" label="Last name" autoComplete="family-name" maxLength={limits.name} />
      </div>
      <TextField name="email" label="Email" type="email" autoComplete="email" maxLength={limits.email} />
      <TextField
        name="phone"
        label="Phone (optional)"
        type="tel"
        autoComplete="tel"
        maxLength={limits.phone}
        optional
      />
      {role === "agent" && <AgentFields />}
      <NewPassword />
    </>
  );
}

function AgentFields() {
  return (
    <>
      <TextField name="agency" label="Agency name" autoComplete="organization" maxLength={limits.agency} />
      <TextField name="country" label="Country" autoComplete="country-name" maxLength={limits.country} />
    </>
  );
}

function NewPassword() {
  const minLength = configuration().passwordMinLength;
  return (
    <>
      <NewPasswordField
        name="password"
        label="Password"
        // A blank holds the line until the configuration is read.
        description={minLength ? `At least ${minLength} characters.` : "\u00a0"}
      />
      <PasswordField name="confirmPassword" label="Confirm password" autoComplete="new-password" />
    </>
  );
}

/** The role decides which fields there are. It may have been chosen before React was ready. */
function useChosenRole() {
  const [role, setRole] = useState("");
  const ref = useRef<HTMLSelectElement>(null);
  useEffect(() => setRole(ref.current?.value ?? ""), []);
  return {
    role,
    select: {
      ref,
      onChange: (event: { currentTarget: HTMLSelectElement }) => setRole(event.currentTarget.value),
    },
  };
}
