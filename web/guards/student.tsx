import type { ScreenHandle } from "../lib/screen-handle.ts";
import { Guard } from "./guard.tsx";

export const handle = { area: "student" } satisfies ScreenHandle;

export default function StudentGuard() {
  return <Guard {...handle} />;
}
