import { router } from "../../lib/react-router-window.ts";

/** Milliseconds between two looks whether the server answers again. */
const pause = 5_000;
const renewedFor = "renewed-for";

const moment = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, pause);
    addEventListener("online", () => resolve(), { once: true });
  });

/** Resolves as soon as there is an answer for this path, whichever; what the browser has kept counts. */
export const untilAnswered = (path: string): Promise<unknown> =>
  fetch(path).catch(() => moment().then(() => untilAnswered(path)));

/** The code of a screen that could not be loaded, once the connection is back. */
export async function waitFor(path: string): Promise<object> {
  await untilAnswered(path);
  // A browser that has tried in vain before asks again only under another address.
  const again = `${path}?again`;
  return await import(/* @vite-ignore */ path)
    .catch(() => import(/* @vite-ignore */ again))
    .catch((error: unknown) => renew(path, error));
}

/** The file is gone: there is a newer Wayfare. The page that was asked for is loaded from it, once. */
function renew(path: string, error: unknown): Promise<never> {
  if (sessionStorage.getItem(renewedFor) === path) throw error;
  sessionStorage.setItem(renewedFor, path);
  const { pathname, search } = router().state.navigation.location ?? location;
  location.assign(pathname + search);
  return new Promise(() => {});
}
