import { friendlyError } from "#domain/friendly-error.ts";
import { Button } from "./button.tsx";
import classes from "./retry.module.css";

type RetryProps = {
  error: unknown;
  onRetry: () => void;
  /** The level of its heading, one below that of the surrounding part. */
  heading?: "h2" | "h3" | "h4";
};

/** Says why something couldn't be loaded, with a button to try again. */
export function Retry({ error, onRetry, heading: Heading = "h2" }: RetryProps) {
  return (
    <div role="alert" className={classes.retry}>
      <Heading className={classes.title}>We couldn't load this</Heading>
      <p className={classes.text}>{friendlyError(error).message}</p>
      <Button variant="default" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
