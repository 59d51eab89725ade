import { announce } from "../../lib/announce.ts";
import { Button } from "../../ui/button.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import classes from "./api-keys.module.css";

/** A new key, shown this once. */
export function ShownKey({ shown, onDone }: { shown: string | null; onDone: () => void }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(shown ?? "");
      announce("Key copied.");
    } catch {
      announce("Your browser doesn't let us copy. Please select the key and copy it.");
    }
  }
  return (
    <Dialog opened={shown !== null} onClose={onDone} title="Your API key">
      <p className={dialog.words}>
        Copy it now and keep it somewhere safe. You won't see it again. Anyone who has it can act as you.
      </p>
      <p className={classes.shown}>
        <code>{shown}</code>
      </p>
      <DialogActions>
        <Button variant="default" size="md" onClick={() => void copy()}>
          Copy
        </Button>
        <Button size="md" onClick={onDone}>
          I've saved it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
