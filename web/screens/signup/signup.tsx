import { type SignUpForm, signUpProblem } from "#domain/sign-up.ts";
import { configuration } from "../../lib/configuration.ts";
import { publicMeta } from "../../lib/page-meta.ts";
import { rpc } from "../../lib/rpc.ts";
import { useNext, useWanted } from "../../lib/use-next.ts";
import { setViewer } from "../../lib/viewer.ts";
import { Aside, AuthPage } from "../../ui/auth-page.tsx";
import { Form } from "../../ui/form/form.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import classes from "./consent.module.css";
import { SignUpFields } from "./sign-up-fields.tsx";

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

const check = (form: SignUpForm) => signUpProblem(form, { minLength: configuration().passwordMinLength });

/** The guard of this screen goes on as soon as somebody is signed in. */
async function signUp(form: SignUpForm & { next: string | undefined }) {
  await setViewer(await rpc.account.signUp(form));
}

export default function SignUp() {
  const withNext = useNext();
  const next = useWanted();
  return (
    <AuthPage title="Create your account" lead="For students, and for the agents who help them.">
      <Form
        errorTitle="Sign Up Error"
        draftName="sign-up"
        fields={fields}
        check={check}
        send={(form) => signUp({ ...form, next })}
      >
        <SignUpFields />
        <SubmitButton busyText="Creating Account...">Sign Up</SubmitButton>
      </Form>
      <Consent />
      <Aside>
        Already have an account?{" "}
        <LinkButton to={withNext("/login")} size="compact-md">
          Login here!
        </LinkButton>
      </Aside>
    </AuthPage>
  );
}

/** What the sign-up button agrees to. */
function Consent() {
  return (
    <p className={classes.consent}>
      By creating an account you agree to the <TextLink to="/terms">Terms</TextLink> and{" "}
      <TextLink to="/privacy">Privacy</TextLink>.
    </p>
  );
}
