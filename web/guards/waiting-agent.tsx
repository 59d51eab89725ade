import type { ScreenHandle } from "../lib/screen-handle.ts";
import { Guard } from "./guard.tsx";

export const handle = { area: "waitingAgent" } satisfies ScreenHandle;

export default function WaitingAgentGuard() {
  return <Guard {...handle} />;
}
