import { useEffect } from "react";
import { pauseLive, useLive } from "../lib/live.ts";
import { rpc } from "../lib/rpc.ts";
import { useViewer } from "../lib/viewer.ts";
import { useSignOut } from "./sign-out.tsx";

/** Follows changes to the signed-in person's account until they leave. */
export default function WatchAccount() {
  const { isSigningOut } = useSignOut();
  const id = useViewer()?.id;
  useLive("account");
  // A stream that opens during a sign-out would be refused.
  useEffect(() => (isSigningOut ? pauseLive() : undefined), [isSigningOut]);
  useEffect(() => hideWhenLeft(id), [id]);
  return null;
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
