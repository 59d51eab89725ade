import { onlineManager } from "@tanstack/react-query";

/** Resolves once there is a connection: immediately on the server, which is always online. */
async function untilOnline(): Promise<void> {
  if (import.meta.env.SSR) return;
  // TanStack Query itself only notices changes.
  if (!navigator.onLine) onlineManager.setOnline(false);
  if (onlineManager.isOnline()) return;
  await new Promise<void>((resolve) => {
    const stop = onlineManager.subscribe((isOnline) => {
      if (!isOnline) return;
      stop();
      resolve();
    });
  });
}

/**
 * Wraps an import for `lazy`: offline, the code isn't requested at all, because browsers remember a module that failed.
 */
export const whenOnline =
  <Code>(load: () => Promise<Code>) =>
  async (): Promise<Code> => {
    await untilOnline();
    return await load();
  };
