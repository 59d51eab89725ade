import type { ScreenHandle } from "../lib/screen-handle.ts";
import { Guard } from "./guard.tsx";

export const handle = { area: "shortlist" } satisfies ScreenHandle;

export default function ShortlistGuard() {
  return <Guard {...handle} />;
}
