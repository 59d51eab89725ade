import { Button, Title } from "@mantine/core";
import { Link } from "react-router";
import type { Viewer } from "#contract/account.ts";
import classes from "./student-dashboard.module.css";

/** The one thing to do next: verify the address first, then complete the profile. */
export function NextStep({ viewer }: { viewer: Viewer }) {
  return (
    <section className={classes.next} aria-labelledby="next-step">
      <div>
        <p className={classes.eyebrow}>Your next step</p>
        <Title order={2} id="next-step" className={classes.nextTitle}>
          {viewer.emailVerified ? "Complete your profile" : "Verify your email address"}
        </Title>
        <p className={classes.nextText}>
          {viewer.emailVerified
            ? "Universities ask for these details with every application."
            : `Open the link that we sent to ${viewer.email}.`}
        </p>
      </div>
      {viewer.emailVerified && (
        <Button component={Link} to="/student-profile" size="md" color="apricot.4">
          Complete profile
        </Button>
      )}
    </section>
  );
}
