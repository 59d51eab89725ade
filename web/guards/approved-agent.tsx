import type { ScreenHandle } from "../lib/screen-handle.ts";
import { Guard } from "./guard.tsx";

export const handle = { area: "approvedAgent" } satisfies ScreenHandle;

export default function ApprovedAgentGuard() {
  return <Guard {...handle} />;
}
