import { lazy, Suspense } from "react";
import type { FriendlyError } from "#domain/friendly-error.ts";
import { whenOnline } from "../lib/online.ts";
import { Button } from "./button.tsx";
import classes from "./dialog.module.css";
import { Dialog } from "./dialog.tsx";
import { DialogActions } from "./dialog-actions.tsx";
import { Quote } from "./quote.tsx";

type ErrorModalProps = {
  title: string;
  /** Null: nothing is wrong, and the modal is closed. */
  error: FriendlyError | null;
  onClose: () => void;
};

/** Lazy-loaded: next to nobody ever needs it. */
const LogInAgain = lazy(whenOnline(() => import("../screens/login/log-in-again.tsx")));

/**
 * What went wrong, in words, with its code where the catalogue has one. Whose session is gone can log in right there:
 * the form below stays as it is, to be sent once more. Who has just cancelled it need not be told.
 */
export function ErrorModal({ title, error, onClose }: ErrorModalProps) {
  return (
    <Dialog opened={error !== null && error.code !== "cancelled"} onClose={onClose} title={title}>
      <p className={classes.words}>{error?.message}</p>
      {error?.code && <p className={classes.aside}>Error Code: {error.code}</p>}
      {error?.requestId && <Quote requestId={error.requestId} />}
      {error?.code === "unauthenticated" ? (
        <Suspense>
          <LogInAgain onClose={onClose} />
        </Suspense>
      ) : (
        <DialogActions>
          <Button onClick={onClose}>OK</Button>
        </DialogActions>
      )}
    </Dialog>
  );
}
