import { Anchor, Group, Text, Title } from "@mantine/core";
import { pendingSteps } from "../../content/agent-pending.ts";
import { useSignOut } from "../../frame/sign-out.tsx";
import { configuration } from "../../lib/configuration.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { Button } from "../../ui/button.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import classes from "./agent-pending.module.css";

export const meta = () => pageMeta("Account pending approval");

/** Where an agent waits. The guard goes on to the dashboard once an admin has approved. */
export default function AgentPending() {
  const { signOut, isSigningOut } = useSignOut();
  return (
    <Page
      title="Account Pending Approval"
      lead="Thank you for joining. An administrator reviews every agent account before granting access."
      narrow
    >
      <section className={classes.card}>
        <Title order={2} size="h4">
          Next steps
        </Title>
        <ol className={classes.steps}>
          {pendingSteps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <Support />
      </section>
      <Group mt="xl">
        <LinkButton to="/">Return to Home</LinkButton>
        <Button size="md" disabled={isSigningOut} onClick={() => signOut("/login")}>
          Go to Login
        </Button>
      </Group>
    </Page>
  );
}

function Support() {
  const email = configuration().contactEmail;
  return (
    <Text>
      Questions? Write to <Anchor href={`mailto:${email}`}>{email}</Anchor>.
    </Text>
  );
}
