import { friendlyError } from "#domain/friendly-error.ts";
import { Button } from "./button.tsx";
import classes from "./retry.module.css";

/** Says why something couldn't be loaded, with a button to try again. */
export function Retry({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert" className={classes.retry}>
      <h2 className={classes.title}>We couldn't load this</h2>
      <p className={classes.text}>{friendlyError(error).message}</p>
      <Button variant="default" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
