/** Resolves once the device has a connection: at once on the server, which always has one. */
const untilOnline = (): Promise<unknown> =>
  import.meta.env.SSR || navigator.onLine
    ? Promise.resolve()
    : new Promise((resolve) => addEventListener("online", resolve, { once: true }));

/** For `lazy`: offline the code of a part is not even asked for, since a browser remembers a module that did not come. */
export const whenOnline =
  <Code>(load: () => Promise<Code>) =>
  async (): Promise<Code> => {
    await untilOnline();
    return await load();
  };
