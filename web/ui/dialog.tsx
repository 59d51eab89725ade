import { IconX } from "@tabler/icons-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { type FocusPath, focusPath, restoreFocus } from "../lib/focus.ts";
import { IconButton } from "./button.tsx";
import classes from "./dialog.module.css";

type DialogProps = {
  opened: boolean;
  title: string;
  /** Called by Escape or a click outside. Undefined: only the dialog's own buttons close it. */
  onClose: (() => void) | undefined;
  /** Opens it at the edge of the page instead of its middle. */
  side?: boolean;
  /** Makes it wider for a form or a list, with its title and a close button always visible. */
  wide?: boolean;
  children: ReactNode;
};

/**
 * A modal: the native dialog keeps the focus inside, makes the rest inert and returns the focus afterwards; if its
 * opener is gone by then, the opener's neighbour gets the focus. Its children are only mounted while it is open.
 */
export function Dialog({ opened, title, onClose, side = false, wide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const opener = useRef<FocusPath>([]);
  const titleId = useId();
  // Runs before the children's effects: they can take the focus only once the dialog is open.
  useLayoutEffect(() => {
    if (opened && !dialog.current?.open) {
      opener.current = focusPath();
      dialog.current?.showModal();
    }
    if (!opened) {
      dialog.current?.close();
      restoreFocus(opener.current);
    }
  }, [opened]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={side ? classes.side : classes.middle}
      data-wide={wide || undefined}
      onCancel={(event) => {
        // Prevents the browser from closing it, because the caller decides whether it is open.
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

/** The buttons at the end of a dialog; the safe one comes first and has the focus. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={classes.actions}>{children}</div>
);
