import { Anchor, Text } from "@mantine/core";
import { Link } from "react-router";

/** What the sign-up button agrees to (product decisions, "Consent"). */
export function Consent() {
  return (
    <Text size="sm" c="dimmed" mt="md">
      By creating an account you agree to the{" "}
      <Anchor component={Link} to="/terms" inherit>
        Terms
      </Anchor>{" "}
      and{" "}
      <Anchor component={Link} to="/privacy" inherit>
        Privacy
      </Anchor>
      .
    </Text>
  );
}
