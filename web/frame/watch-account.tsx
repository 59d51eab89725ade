import { useEffect } from "react";
import { pauseLive, useLive } from "../lib/use-live.ts";
import { useSignOut } from "./sign-out.tsx";

/** Follows what happens to the account of whoever is signed in, until they leave. */
export default function WatchAccount() {
  const { isSigningOut } = useSignOut();
  useLive("account");
  // A stream that opens meanwhile would be refused.
  useEffect(() => (isSigningOut ? pauseLive() : undefined), [isSigningOut]);
  return null;
}
