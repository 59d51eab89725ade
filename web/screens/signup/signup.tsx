import { useEffect, useRef, useState } from "react";
import { limits } from "#domain/account.ts";
import { type SignUpForm, signUpProblem } from "#domain/sign-up.ts";
import { configuration } from "../../lib/configuration.ts";
import { publicMeta } from "../../lib/page-meta.ts";
import { rpc } from "../../lib/rpc.ts";
import { useNext, useRequestedAddress } from "../../lib/use-next.ts";
import { setViewer } from "../../lib/viewer.ts";
import { Aside, AuthPage } from "../../ui/auth-page.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { PasswordField, SelectField, TextField } from "../../ui/form/fields.tsx";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { NewPasswordField } from "../../ui/form/new-password-field.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import classes from "./signup.module.css";

export const meta = () =>
  publicMeta("/signup", "Sign Up", "Create a Wayfare account as a student or as an agent.");

const fields = [
  "role",
  "firstName",
  "lastName",
  "email",
  "phone",
  "agency",
  "country",
  "password",
  "confirmPassword",
] as const;

export default function SignUp() {
  const withNext = useNext();
  const next = useRequestedAddress();
  return (
    <AuthPage title="Create your account" lead="For students, and for the agents who help them.">
      <Form
        errorTitle="Sign Up Error"
        draftName="sign-up"
        fields={fields}
        check={(form: SignUpForm) => signUpProblem(form, { minLength: configuration().passwordMinLength })}
        // The guard of this screen redirects as soon as the viewer is signed in.
        send={async (form) => setViewer(await rpc.account.signUp({ ...form, next }))}
      >
        <SignUpFields />
        <SubmitButton busyText="Creating Account...">Sign Up</SubmitButton>
      </Form>
      <p className={classes.consent}>
        By creating an account you agree to the <TextLink to="/terms">Terms</TextLink> and{" "}
        <TextLink to="/privacy">Privacy</TextLink>.
      </p>
      <Aside>
        Already have an account?{" "}
        <LinkButton to={withNext("/login")} size="compact-md">
          Login here!
        </LinkButton>
      </Aside>
    </AuthPage>
  );
}

const roleOptions = [
  { value: "", label: "Choose one" },
  { value: "student", label: "Student" },
  { value: "agent", label: "Agent" },
];

function SignUpFields() {
  const [role, setRole] = useState("");
  const select = useRef<HTMLSelectElement>(null);
  // The role may have been chosen before hydration.
  useEffect(() => setRole(select.current?.value ?? ""), []);
  return (
    <>
      <SelectField
        ref={select}
        name="role"
        label="Role"
        data={roleOptions}
        onChange={({ currentTarget }) => setRole(currentTarget.value)}
      />
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
      {role === "agent" && (
        <>
          <TextField
            name="agency"
            label="Agency name"
            autoComplete="organization"
            maxLength={limits.agency}
          />
          <TextField name="country" label="Country" autoComplete="country-name" maxLength={limits.country} />
        </>
      )}
      <NewPasswordField
        name="password"
        label="Password"
        description={`At least ${configuration().passwordMinLength} characters.`}
      />
      <PasswordField name="confirmPassword" label="Confirm password" autoComplete="new-password" />
    </>
  );
}
