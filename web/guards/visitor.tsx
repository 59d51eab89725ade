import type { ScreenHandle } from "../lib/screen-handle.ts";
import { Guard } from "./guard.tsx";

export const handle = { area: "visitor" } satisfies ScreenHandle;

export default function VisitorGuard() {
  return <Guard {...handle} />;
}
