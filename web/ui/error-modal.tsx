import { use } from "react";
import { messageOf, quoteThis } from "#domain/error-catalogue.ts";
import { type FriendlyError, friendlyError } from "#domain/friendly-error.ts";
import { sessionEndedWords } from "../lib/session-end.ts";
import { Button } from "./button.tsx";
import classes from "./dialog.module.css";
import { Dialog, DialogActions } from "./dialog.tsx";
import { LogInAgainContext } from "./log-in-again-context.ts";

type ErrorModalProps = {
  title: string;
  /** Null: nothing is wrong, and the modal is closed. */
  error: Error | FriendlyError | null;
  onClose: () => void;
};

/**
 * Shows an error's message, with its code if the catalogue has one. If the session has ended, the person can log in
 * right there: the form below stays as it is, to be sent again. An error that the person caused by cancelling is not
 * shown.
 */
export function ErrorModal({ title, error, onClose }: ErrorModalProps) {
  const logInAgain = use(LogInAgainContext);
  const failure = error instanceof Error ? friendlyError(error) : error;
  // A screen with a message of its own for this keeps it.
  const hasEnded = failure?.message === messageOf.unauthenticated;
  return (
    <Dialog
      opened={failure !== null && failure.code !== "cancelled"}
      onClose={onClose}
      title={hasEnded ? "Please log in again" : title}
    >
      <p className={classes.words}>{hasEnded ? sessionEndedWords : failure?.message}</p>
      {failure?.code && !hasEnded && <p className={classes.aside}>Error Code: {failure.code}</p>}
      {failure?.requestId && <Quote requestId={failure.requestId} />}
      {failure?.code === "unauthenticated" && logInAgain ? (
        logInAgain(onClose)
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
