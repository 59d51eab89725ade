import { useEffect } from "react";
import { pauseLive, useLive } from "../lib/live.ts";
import { rpc } from "../lib/rpc.ts";
import { useViewer } from "../lib/viewer.ts";
import { useSignOut } from "./sign-out.tsx";

/** Follows what happens to the account of whoever is signed in, until they leave. */
export default function WatchAccount() {
  const { isSigningOut } = useSignOut();
  const id = useViewer()?.id;
  useLive("account");
  // A stream that opens meanwhile would be refused.
  useEffect(() => (isSigningOut ? pauseLive() : undefined), [isSigningOut]);
  useEffect(() => hideWhenLeft(id), [id]);
  return null;
}

/** A page that the browser keeps as it was left comes back in sight once the same person is known to be there still. */
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
