import { Toast } from "@base-ui/react/toast";
import { IconX } from "@tabler/icons-react";
import { useEffect } from "react";
import { onAnnouncement } from "../lib/announce.ts";
import { IconButton } from "../ui/button.tsx";
import classes from "./announcements.module.css";

/** Shows each announcement of a screen for a few seconds. */
export default function Announcements() {
  return (
    <Toast.Provider limit={5}>
      <Toast.Portal>
        <Toast.Viewport className={classes.announcements} aria-label="Announcements">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

/** The region around a toast reads it out, and its button is the only stop for the keyboard. */
const noDialog = { role: undefined, "aria-modal": undefined, tabIndex: -1 };

function ToastList() {
  const { toasts, add } = Toast.useToastManager();
  useEffect(
    () => onAnnouncement(({ message, milliseconds }) => add({ description: message, timeout: milliseconds })),
    [add],
  );
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} {...noDialog} className={classes.announcement}>
      <Toast.Description className={classes.words} />
      <Toast.Close aria-hidden={false} render={<IconButton label="Close" />}>
        <IconX size={18} stroke={1.6} aria-hidden />
      </Toast.Close>
    </Toast.Root>
  ));
}
