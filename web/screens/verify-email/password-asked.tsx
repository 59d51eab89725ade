import { rpc } from "../../lib/rpc.ts";
import { useNext } from "../../lib/use-next.ts";
import { Aside } from "../../ui/auth-page.tsx";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { PasswordAndCode, usePasswordAndCode } from "../../ui/form/password-and-code.tsx";
import { TextLink } from "../../ui/text-link.tsx";

export type VerifiedAddress = Awaited<ReturnType<typeof rpc.account.verifyEmail>>;
type PasswordAskedProps = { token: string; onVerified: (address: VerifiedAddress) => void };

/**
 * Proves the ownership of the account by the credentials of a login. A person without a password sets one through a
 * link, which also verifies the address.
 */
export default function PasswordAsked({ token, onVerified }: PasswordAskedProps) {
  const withNext = useNext();
  const { asksForCode, ...formProps } = usePasswordAndCode(
    async (credentials: { password: string; code?: string }) =>
      onVerified(await rpc.account.verifyEmail({ token, ...credentials })),
  );
  return (
    <>
      <p>You aren't logged in to this account here. Enter its password to confirm the address.</p>
      <Form errorTitle="Verification Error" {...formProps} check={() => null}>
        <PasswordAndCode asksForCode={asksForCode} />
        <SubmitButton busyText="Checking...">Verify my email address</SubmitButton>
      </Form>
      <Aside>
        Didn't sign up? Then close this page. Forgot your password?{" "}
        <TextLink to={withNext("/reset-password")}>Reset it</TextLink>
      </Aside>
    </>
  );
}
