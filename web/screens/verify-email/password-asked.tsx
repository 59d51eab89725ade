import { rpc } from "../../lib/rpc.ts";
import { useNext } from "../../lib/use-next.ts";
import { Aside } from "../../ui/auth-page.tsx";
import { PasswordField } from "../../ui/form/fields.tsx";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { TextLink } from "../../ui/text-link.tsx";

type PasswordAskedProps = { token: string; onDone: () => void };

/** Proves whose account it is. Somebody without a password sets one through a link, which also verifies the address. */
export default function PasswordAsked({ token, onDone }: PasswordAskedProps) {
  const withNext = useNext();
  return (
    <>
      <p>You aren't logged in to this account here. Enter its password to confirm the address.</p>
      <Form
        errorTitle="Verification Error"
        fields={["password"]}
        check={() => null}
        send={async ({ password }) => void (await rpc.account.verifyEmail({ token, password }))}
        onDone={onDone}
      >
        <PasswordField name="password" label="Password" autoComplete="current-password" />
        <SubmitButton busyText="Checking...">Verify my email address</SubmitButton>
      </Form>
      <Aside>
        Didn't sign up? Then close this page. Forgot your password?{" "}
        <TextLink to={withNext("/reset-password")}>Reset it</TextLink>
      </Aside>
    </>
  );
}
