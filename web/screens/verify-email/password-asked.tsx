import { useState } from "react";
import { messageOf } from "#domain/error-catalogue.ts";
import { hasCode } from "#domain/friendly-error.ts";
import { rpc } from "../../lib/rpc.ts";
import { useNext } from "../../lib/use-next.ts";
import { Aside } from "../../ui/auth-page.tsx";
import { CodeField, PasswordField } from "../../ui/form/fields.tsx";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { TextLink } from "../../ui/text-link.tsx";

export type VerifiedAddress = Awaited<ReturnType<typeof rpc.account.verifyEmail>>;
type PasswordAskedProps = { token: string; onVerified: (address: VerifiedAddress) => void };

/**
 * Proves whose account it is, with what a login takes. Somebody without a password sets one through a link, which also
 * verifies the address.
 */
export default function PasswordAsked({ token, onVerified }: PasswordAskedProps) {
  const withNext = useNext();
  const [asksForCode, setAsksForCode] = useState(false);
  async function send(credentials: { password: string; code?: string }) {
    try {
      onVerified(await rpc.account.verifyEmail({ token, ...credentials }));
      return true;
    } catch (error) {
      if (!hasCode(error, "account/second-factor") || asksForCode) throw error;
      setAsksForCode(true);
      return false;
    }
  }
  return (
    <>
      <p>You aren't logged in to this account here. Enter its password to confirm the address.</p>
      <Form
        errorTitle="Verification Error"
        fields={asksForCode ? ["password", "code"] : ["password"]}
        check={() => null}
        send={send}
      >
        <PasswordField name="password" label="Password" autoComplete="current-password" />
        {asksForCode && <CodeField focused orRecovery description={messageOf["account/second-factor"]} />}
        <SubmitButton busyText="Checking...">Verify my email address</SubmitButton>
      </Form>
      <Aside>
        Didn't sign up? Then close this page. Forgot your password?{" "}
        <TextLink to={withNext("/reset-password")}>Reset it</TextLink>
      </Aside>
    </>
  );
}
