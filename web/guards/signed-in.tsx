import type { ScreenHandle } from "../lib/screen-handle.ts";
import { Guard } from "./guard.tsx";

export const handle = { area: "signedIn" } satisfies ScreenHandle;

export default function SignedInGuard() {
  return <Guard {...handle} />;
}
