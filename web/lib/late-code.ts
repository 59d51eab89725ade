/** How React Router knows a part of the map of URLs: its id and where its code is. */
type Part = { id: string; module: string };
type Waiting = {
  /** A screen's code, once the connection is back. */
  waitFor: (path: string) => Promise<object>;
  untilAnswered: (path: string) => Promise<unknown>;
};

/** Loaded apart (web/frame/under-way.tsx), as soon as the first screen shows. */
let waiting: Waiting | undefined;
export const learnToWait = (code: Waiting): void => void (waiting = code);

/**
 * Takes the place of React Router's own (vite.config.ts), which loads the page again when the code of a screen does
 * not come: offline that leaves the browser's error page, and nothing of what was typed. This one waits, and the
 * screen that was asked for opens when the connection is back.
 */
export async function loadRouteModule({ id, module }: Part, loaded: Record<string, object>): Promise<object> {
  return (loaded[id] ??= await load(module));
}

async function load(path: string): Promise<object> {
  const wait = waiting?.waitFor;
  // Not even tried: browsers remember a file that did not come, and never ask for it again.
  if (wait && !navigator.onLine) return await wait(path);
  const code: Promise<object> = import(/* @vite-ignore */ path);
  return await (wait ? code.catch(() => wait(path)) : code);
}

/** For `lazy`: code of a part of a screen, which waits for the connection too. */
export const late =
  <Code>(load: () => Promise<Code>) =>
  async (): Promise<Code> => {
    if (!navigator.onLine) await waiting?.untilAnswered("/healthz");
    return await load();
  };
