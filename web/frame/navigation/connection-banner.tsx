import { IconCloudOff } from "@tabler/icons-react";
import { onlineManager } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import classes from "./connection-banner.module.css";

const subscribe = (listener: () => void) => onlineManager.subscribe(listener);

/** Says that the connection is lost, and goes by itself when it is back. What was typed stays where it is. */
export function ConnectionBanner() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => onlineManager.isOnline(),
    () => true,
  );
  return (
    <output aria-label="Connection" className={classes.place}>
      {!isOnline && (
        <span className={classes.banner}>
          <IconCloudOff size={22} stroke={1.6} aria-hidden className={classes.icon ?? ""} />
          <span>
            <strong>{navigator.onLine ? "Wayfare isn't responding." : "You're offline."}</strong> What you've
            typed is safe, and we'll reconnect automatically.
          </span>
        </span>
      )}
    </output>
  );
}
