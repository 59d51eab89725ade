import { Button, Text, Title } from "@mantine/core";
import { friendlyError } from "#domain/friendly-error.ts";
import classes from "./retry.module.css";

/** Something could not be loaded: why, and a button to try again. */
export function Retry({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert" className={classes.retry}>
      <Title order={2} size="h3">
        This could not be loaded
      </Title>
      <Text c="dimmed">{friendlyError(error).message}</Text>
      <Button variant="default" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
