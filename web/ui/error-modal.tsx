import { lazy, Suspense } from "react";
import { messageOf, quoteThis } from "#domain/error-catalogue.ts";
import { type FriendlyError, friendlyError } from "#domain/friendly-error.ts";
import { whenOnline } from "../lib/online.ts";
import { sessionEndedWords } from "../lib/session-end.ts";
import { Button } from "./button.tsx";
import classes from "./dialog.module.css";
import { Dialog, DialogActions } from "./dialog.tsx";

type ErrorModalProps = {
  title: string;
  /** Null: nothing is wrong, and the modal is closed. */
  error: Error | FriendlyError | null;
  onClose: () => void;
};

/** Lazy-loaded: next to nobody ever needs it. */
const LogInAgain = lazy(whenOnline(() => import("../screens/login/log-in-again.tsx")));

/**
 * What went wrong, in words, with its code where the catalogue has one. Whose session is gone can log in right there:
 * the form below stays as it is, to be sent once more. Who has just cancelled it need not be told.
 */
export function ErrorModal({ title, error, onClose }: ErrorModalProps) {
  const shown = error instanceof Error ? friendlyError(error) : error;
  // A screen that has words of its own for it keeps them.
  const hasEnded = shown?.message === messageOf.unauthenticated;
  return (
    <Dialog
      opened={shown !== null && shown.code !== "cancelled"}
      onClose={onClose}
      title={hasEnded ? "Please log in again" : title}
    >
      <p className={classes.words}>{hasEnded ? sessionEndedWords : shown?.message}</p>
      {shown?.code && !hasEnded && <p className={classes.aside}>Error Code: {shown.code}</p>}
      {shown?.requestId && <Quote requestId={shown.requestId} />}
      {shown?.code === "unauthenticated" ? (
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

export const Quote = ({ requestId, id }: { requestId: string; id?: string }) => (
  <p className={classes.aside}>
    {`${quoteThis} `}
    <code id={id}>{requestId}</code>
  </p>
);
