import type { ScreenHandle } from "../lib/screen-handle.ts";
import { Guard } from "./guard.tsx";

export const handle = { area: "manageStudents" } satisfies ScreenHandle;

export default function ManageStudentsGuard() {
  return <Guard {...handle} />;
}
