import { IconCloudOff } from "@tabler/icons-react";
import { onlineManager, useIsFetching } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { watchConnection } from "../lib/connection.ts";
import { isFollowing, isStreamLost, onStreamLoss } from "../lib/live.ts";
import classes from "./connection-banner.module.css";

const hasConnection = () => onlineManager.isOnline() && !isStreamLost();

function subscribe(listener: () => void): () => void {
  const stops = [onlineManager.subscribe(listener), onStreamLoss(listener)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Says that the connection is lost, until it is back and the screen's data are refetched. Typed text is kept. */
export function ConnectionBanner() {
  useEffect(watchConnection, []);
  const isConnected = useSyncExternalStore(subscribe, hasConnection);
  const isFetching = useIsFetching() > 0;
  const [isStale, setStale] = useState(false);
  if (!isConnected && !isStale) setStale(true);
  if (isConnected && isStale && !isFetching) setStale(false);
  return (
    <output aria-label="Connection" className={classes.place}>
      {isStale && (
        <span className={classes.banner}>
          <IconCloudOff size={22} stroke={1.6} aria-hidden className={classes.icon ?? ""} />
          <span>
            <strong>
              {navigator.onLine ? "Not connected." : "You're offline."}
              {isFollowing() && " Prices may be old."}
            </strong>{" "}
            What you've typed is safe, and we'll reconnect automatically.
          </span>
        </span>
      )}
    </output>
  );
}
