import { useMutation } from "@tanstack/react-query";
import { useLocation } from "react-router";
import { api } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Item } from "../../ui/item-list.tsx";

/** `what` names the thing that can be added once the address is verified. */
type VerifyFirstProps = { what: string };

/** Says why an account with an unverified address can't add anything yet, and resends the link. */
export function VerifyFirst({ what }: VerifyFirstProps) {
  const email = useViewer()?.email ?? "";
  const { pathname } = useLocation();
  const resend = useMutation(api.account.resendVerification.mutationOptions());
  return (
    <Item
      name="First, verify your email address"
      details={
        <p>
          <output>
            {resend.isSuccess
              ? `We've sent a link to ${email}. Please check your inbox and spam folder.`
              : `Open the link we sent to ${email}. Then you can add ${what}.`}
          </output>
        </p>
      }
      actions={
        !resend.isSuccess && (
          <Button disabled={resend.isPending} onClick={() => resend.mutate({ next: pathname })}>
            {resend.isPending ? "Sending..." : "Send the link again"}
          </Button>
        )
      }
    >
      <ErrorModal title="Verification Error" error={resend.error} onClose={resend.reset} />
    </Item>
  );
}
