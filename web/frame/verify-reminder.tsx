import { useMutation } from "@tanstack/react-query";
import { useLocation } from "react-router";
import { api } from "../lib/rpc.ts";
import { useViewer } from "../lib/viewer.ts";
import { Button } from "../ui/button.tsx";
import { ErrorModal } from "../ui/error-modal.tsx";
import classes from "./verify-reminder.module.css";

/** Reminds people whose address is not verified yet, and resends the link. */
export default function VerifyReminder() {
  const viewer = useViewer();
  const { pathname } = useLocation();
  const resend = useMutation(api.account.resendVerification.mutationOptions());
  if (!viewer || viewer.emailVerified) return null;
  return (
    <section aria-label="Email verification" className={classes.bar}>
      <p className={classes.text}>
        Please verify your email address. We sent a link to <strong>{viewer.email}</strong>.
      </p>
      <output>{resend.isSuccess && "Sent. Please check your inbox and spam folder."}</output>
      {!resend.isSuccess && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={resend.isPending}
          onClick={() => resend.mutate({ next: pathname })}
        >
          {resend.isPending ? "Sending..." : "Send the link again"}
        </Button>
      )}
      <ErrorModal title="Verification Error" error={resend.error} onClose={resend.reset} />
    </section>
  );
}
