import { copy } from "../../lib/copy.ts";
import { Button } from "../../ui/button.tsx";
import dialog from "../../ui/dialog.module.css";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import classes from "./security.module.css";

/** The codes of an account, shown this once: to be copied, saved or written down. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = `${codes.join("\n")}\n`;
  return (
    <>
      <p className={dialog.words}>
        Keep these somewhere safe, away from your phone. Each works once in place of a code from your app. You
        won't see them again.
      </p>
      <ol className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={classes.action}>
        <Button variant="default" onClick={() => void copy(text)}>
          Copy
        </Button>
        <Button variant="default" onClick={() => download(text)}>
          Download
        </Button>
      </div>
      <DialogActions>
        <Button onClick={onDone}>I've saved them</Button>
      </DialogActions>
    </>
  );
}

function download(text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "wayfare-recovery-codes.txt";
  link.click();
  URL.revokeObjectURL(url);
}
