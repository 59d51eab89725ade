import { useNavigate } from "react-router";
import { limits } from "#domain/account.ts";
import { signUpProblem } from "#domain/sign-up.ts";
import { configuration } from "../../lib/configuration.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { PasswordField, TextField } from "../../ui/form/fields.tsx";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { NewPasswordField } from "../../ui/form/new-password-field.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { homeOf } from "./home-of.ts";
import classes from "./invitation.module.css";
import type { OpenInvitation } from "./invitation.tsx";

type ClaimFormProps = { token: string; invitation: OpenInvitation };

/**
 * Creates the invited person's account, by the rules of the sign-up. The address is the invited one; an agent's agency
 * and country are those that the admin entered.
 */
export default function ClaimForm({ token, invitation }: ClaimFormProps) {
  const { email, firstName, lastName, role, agency, country } = invitation;
  const navigate = useNavigate();
  const { passwordMinLength: minLength } = configuration();
  return (
    <>
      <Form
        errorTitle="Sign Up Error"
        fields={["firstName", "lastName", "phone", "password", "confirmPassword"]}
        check={(form) => signUpProblem({ ...form, role, email, agency, country }, { minLength })}
        send={async (form) => {
          await rpc.invitations.claim({ token, ...form });
          await queryClient.invalidateQueries({ queryKey: api.account.me.key() });
          await navigate(homeOf[role], { replace: true });
        }}
      >
        <p>
          Your account's address is <strong>{email}</strong>.
          {role === "agent" && (
            <>
              {" "}
              Your agency is <strong>{[agency, country].filter(Boolean).join(", ")}</strong>.
            </>
          )}
        </p>
        <div className={classes.names}>
          <TextField
            name="firstName"
            label="First name"
            autoComplete="given-name"
            maxLength={limits.name}
            defaultValue={firstName}
          />
          <TextField
            name="lastName"
            label="Last name"
            autoComplete="family-name"
            maxLength={limits.name}
            defaultValue={lastName}
          />
        </div>
        <TextField
          name="phone"
          label="Phone (optional)"
          type="tel"
          autoComplete="tel"
          maxLength={limits.phone}
          optional
        />
        <NewPasswordField
          name="password"
          label="Password"
          description={`At least ${minLength} characters.`}
          ownWords={[email]}
        />
        <PasswordField name="confirmPassword" label="Confirm password" autoComplete="new-password" />
        <SubmitButton busyText="Creating Account...">Accept and create my account</SubmitButton>
      </Form>
      <p className={classes.consent}>
        By creating an account you agree to the <TextLink to="/terms">Terms</TextLink> and{" "}
        <TextLink to="/privacy">Privacy</TextLink>.
      </p>
    </>
  );
}
