import { announce } from "../../lib/announce.ts";
import { Button } from "../../ui/button.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import classes from "./webhooks.module.css";

/** A webhook's secret, shown this once. */
export function SecretDialog({ secret, onDone }: { secret: string | null; onDone: () => void }) {
  return (
    <Dialog opened={secret !== null} onClose={onDone} title="Your signing secret">
      {secret !== null && (
        <>
          <p className={dialog.words}>
            Your server checks our signatures with it. Copy it now: you won't see it again.
          </p>
          <code className={classes.secret}>{secret}</code>
          <DialogActions>
            <Button variant="default" onClick={() => void copy(secret)}>
              Copy
            </Button>
            <Button onClick={onDone}>I've saved it</Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

async function copy(secret: string) {
  try {
    await navigator.clipboard.writeText(secret);
    announce("Secret copied.");
  } catch {
    announce("Your browser doesn't let us copy. Please select the secret and copy it.");
  }
}
