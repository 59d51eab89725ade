import type { ScreenHandle } from "../lib/screen-handle.ts";
import { Guard } from "./guard.tsx";

export const handle = { area: "admin" } satisfies ScreenHandle;

export default function AdminGuard() {
  return <Guard {...handle} />;
}
