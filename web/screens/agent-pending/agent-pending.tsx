import { pendingSteps, verifyingStep } from "../../content/agent-pending.ts";
import { useSignOut } from "../../frame/sign-out.tsx";
import { configuration } from "../../lib/configuration.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import classes from "./agent-pending.module.css";

export const meta = () => pageMeta("Account pending approval");

/** The screen of a waiting agent. The guard moves on to the dashboard once an admin has approved. */
export default function AgentPending() {
  const { signOut, isSigningOut } = useSignOut();
  const viewer = useViewer();
  return (
    <Page
      title="Account Pending Approval"
      lead="Thank you for joining. An administrator reviews every agent account before granting access."
      narrow
    >
      <section className={classes.card}>
        <h2 className={classes.heading}>Next steps</h2>
        <ol className={classes.steps}>
          {!viewer?.emailVerified && <li>{verifyingStep}</li>}
          {pendingSteps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <Support />
      </section>
      <div className={classes.buttons}>
        <LinkButton to="/">Return to Home</LinkButton>
        <Button size="md" disabled={isSigningOut} onClick={() => signOut({ to: "/login" })}>
          Go to Login
        </Button>
      </div>
    </Page>
  );
}

function Support() {
  const email = configuration().contactEmail;
  return (
    <p className={classes.support}>
      Questions? Write to <TextLink to={`mailto:${email}`}>{email}</TextLink>.
    </p>
  );
}
