import { Toast } from "@base-ui/react/toast";
import { IconX } from "@tabler/icons-react";
import { useEffect } from "react";
import { onAnnouncement } from "../lib/announce.ts";
import { IconButton } from "../ui/icon-button.tsx";
import classes from "./announcements.module.css";

/** Where what a screen announces appears: what was just done, for a few seconds. */
export default function Announcements() {
  return (
    <Toast.Provider limit={5}>
      <Toast.Portal>
        <Toast.Viewport className={classes.announcements} aria-label="Announcements">
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Shown() {
  const { toasts, add } = Toast.useToastManager();
  useEffect(
    () => onAnnouncement(({ message, milliseconds }) => add({ description: message, timeout: milliseconds })),
    [add],
  );
  return toasts.map((toast) => (
    // Nothing to answer, and so no dialog, nor a stop for the keyboard beside its button.
    <Toast.Root key={toast.id} toast={toast} role="group" tabIndex={-1} className={classes.announcement}>
      <Toast.Description className={classes.words} />
      <Toast.Close aria-hidden={false} render={<IconButton label="Close" />}>
        <IconX size={18} stroke={1.6} aria-hidden />
      </Toast.Close>
    </Toast.Root>
  ));
}
