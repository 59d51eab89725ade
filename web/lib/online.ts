import { onlineManager } from "@tanstack/react-query";

/** Resolves once there is a connection: at once on the server, which always has one. */
async function untilOnline(): Promise<void> {
  if (import.meta.env.SSR) return;
  // Only changes are noticed by itself.
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

/** For `lazy`: offline the code of a part is not even asked for, since a browser remembers a module that did not come. */
export const whenOnline =
  <Code>(load: () => Promise<Code>) =>
  async (): Promise<Code> => {
    await untilOnline();
    return await load();
  };
