import { IconX } from "@tabler/icons-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { IconButton } from "./button.tsx";
import classes from "./dialog.module.css";

type DialogProps = {
  opened: boolean;
  title: string;
  /** Asked to close: by Escape or by a click beside it. Undefined: only its own buttons close it. */
  onClose: (() => void) | undefined;
  /** From the edge of the page instead of its middle. */
  side?: boolean;
  /** For a form or a list: wider, with its title and a button to close it always in sight. */
  wide?: boolean;
  children: ReactNode;
};

/**
 * A modal: the browser's own dialog keeps the focus inside, makes the rest inert and gives the focus back to
 * where it was. Its children are there only while it is open.
 */
export function Dialog({ opened, title, onClose, side = false, wide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Before the effects of what is inside: it can take the focus only once it is open.
  useLayoutEffect(() => {
    if (opened && !dialog.current?.open) dialog.current?.showModal();
    if (!opened) dialog.current?.close();
  }, [opened]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={side ? classes.side : classes.middle}
      data-wide={wide || undefined}
      onCancel={(event) => {
        // The browser would close it by itself; whether it is open is for the caller to say.
        event.preventDefault();
        onClose?.();
      }}
      closedby={onClose ? "any" : "none"}
    >
      {opened && (
        <div className={classes.content}>
          <div className={classes.head}>
            <h2 id={titleId} className={classes.title}>
              {title}
            </h2>
            {wide && onClose && (
              <IconButton label="Close" onClick={onClose}>
                <IconX size={20} stroke={1.6} aria-hidden />
              </IconButton>
            )}
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}

/** The buttons at the end of a dialog; the safe one stands first and has the focus. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={classes.actions}>{children}</div>
);
