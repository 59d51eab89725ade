import { useLive } from "../lib/use-live.ts";

/** Hears at once of what happens to the account of whoever is signed in. */
export default function WatchAccount() {
  useLive("account");
  return null;
}
