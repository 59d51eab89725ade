import type { Viewer } from "#contract/account.ts";
import { accountKeptText } from "#domain/deletion.ts";
import { announce } from "./announce.ts";
import { setViewer } from "./viewer.ts";

/** Stores who has logged in. Somebody whose account was to be deleted is told that the login has cancelled that. */
export async function welcome({ isKept, ...viewer }: Viewer & { isKept: boolean }): Promise<void> {
  if (isKept) announce(accountKeptText, 20_000);
  await setViewer(viewer);
}
