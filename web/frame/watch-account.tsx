import { useEffect } from "react";
import { ownZone } from "../lib/format-date.ts";
import { useLive } from "../lib/live.ts";
import { pushSubscriberId } from "../lib/push-memory.ts";
import { rpc } from "../lib/rpc.ts";
import { useViewer } from "../lib/viewer.ts";

/** Follows changes to the signed-in person's account. */
export default function WatchAccount() {
  const viewer = useViewer();
  const id = viewer?.id;
  useLive("account");
  useEffect(() => hideWhenLeft(id), [id]);
  useEffect(() => {
    if (!viewer || viewer.lacksSecondFactor) return;
    void reportTimeZone(viewer.id);
    void keepPushSubscription(viewer.id);
  }, [viewer]);
  return null;
}

/** Reports the device's time zone to the server once; the server keeps the first one of an account. */
async function reportTimeZone(viewerId: string): Promise<void> {
  const key = `time zone named for ${viewerId}`;
  try {
    if (localStorage.getItem(key) !== null) return;
    await rpc.planner.setTimeZone({ timeZone: ownZone(), onlyFirst: true });
    localStorage.setItem(key, "yes");
  } catch {
    // Without storage or an answer, the next page tries again.
  }
}

/** Keeps the push subscription of this browser alive, for nobody but the person who asked for it. */
async function keepPushSubscription(viewerId: string): Promise<void> {
  if (pushSubscriberId() === null) return;
  try {
    const { keepPush } = await import("../lib/push.ts");
    await keepPush(viewerId);
  } catch {
    // The next page tries again.
  }
}

/**
 * Hides the page when it enters the browser's back-forward cache, and shows it again only once the same person is
 * confirmed to be still signed in.
 */
function hideWhenLeft(id: string | undefined): () => void {
  const page = document.documentElement;
  const hide = () => {
    page.hidden = true;
  };
  async function check() {
    const now = await rpc.account.me().catch(() => null);
    if (now?.viewer?.id === id) page.hidden = false;
    else location.reload();
  }
  const show = ({ persisted }: PageTransitionEvent) => {
    if (persisted) void check();
  };
  addEventListener("pagehide", hide);
  addEventListener("pageshow", show);
  return () => {
    removeEventListener("pagehide", hide);
    removeEventListener("pageshow", show);
  };
}
