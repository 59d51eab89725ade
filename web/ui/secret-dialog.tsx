import { copy } from "../lib/copy.ts";
import { Button } from "./button.tsx";
import dialog from "./dialog.module.css";
import { Dialog, DialogActions } from "./dialog.tsx";
import classes from "./secret-dialog.module.css";

type SecretDialogProps = {
  title: string;
  /** The explanation of the secret's purpose. */
  words: string;
  /** Null: there is none to show. */
  secret: string | null;
  onDone: () => void;
};

/** A new secret, shown only once: only the button that confirms saving it closes the dialog. */
export const SecretDialog = ({ title, words, secret, onDone }: SecretDialogProps) => (
  <Dialog opened={secret !== null} onClose={undefined} title={title}>
    <p className={dialog.words}>{words}</p>
    <p className={classes.secret}>
      <code>{secret}</code>
    </p>
    <DialogActions>
      <Button variant="default" size="md" onClick={() => void copy(secret ?? "")}>
        Copy
      </Button>
      <Button size="md" onClick={onDone}>
        I've saved it
      </Button>
    </DialogActions>
  </Dialog>
);
