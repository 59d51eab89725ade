import { type ReactNode, useEffect, useId, useRef } from "react";
import classes from "./dialog.module.css";

type DialogProps = {
  opened: boolean;
  title: string;
  /** Asked to close: by Escape or by a click beside it. */
  onClose: () => void;
  /** From the edge of the page instead of its middle. */
  side?: boolean;
  children: ReactNode;
};

/**
 * A modal: the browser's own dialog keeps the focus inside, makes the rest inert and gives the focus back to
 * where it was. Its children are there only while it is open.
 */
export function Dialog({ opened, title, onClose, side = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (opened && !dialog.current?.open) dialog.current?.showModal();
    if (!opened) dialog.current?.close();
  }, [opened]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={side ? classes.side : classes.middle}
      onCancel={(event) => {
        // The browser would close it by itself; whether it is open is for the caller to say.
        event.preventDefault();
        onClose();
      }}
      closedby="any"
    >
      {opened && (
        <div className={classes.content}>
          <h2 id={titleId} className={classes.title}>
            {title}
          </h2>
          {children}
        </div>
      )}
    </dialog>
  );
}
