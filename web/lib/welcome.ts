import type { Viewer } from "#contract/account.ts";
import { accountKeptText } from "#domain/deletion.ts";
import { announce } from "./announce.ts";
import { setViewer } from "./viewer.ts";

/** Stores the logged-in viewer, and tells them if the login has cancelled the deletion of their account. */
export async function welcome({ isKept, ...viewer }: Viewer & { isKept: boolean }): Promise<void> {
  if (isKept) announce(accountKeptText, 20_000);
  await setViewer(viewer);
}
