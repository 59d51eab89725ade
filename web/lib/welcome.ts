import type { Viewer } from "#contract/account.ts";
import { accountKeptText } from "#domain/deletion.ts";
import { announce } from "./announce.ts";
import { setViewer } from "./viewer.ts";

/** Somebody has logged in; one whose account was to be deleted may not know that this has taken it back. */
export async function welcome({ isKept, ...viewer }: Viewer & { isKept: boolean }): Promise<void> {
  if (isKept) announce(accountKeptText, 20_000);
  await setViewer(viewer);
}
