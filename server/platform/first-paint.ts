const stylesheet = /<link rel="stylesheet" href="([^"#]+)#?"\/>/g;
const modulePreload = /<link rel="modulepreload" href="([^"]+)"\/>/g;
/** The script that begins the application, as React Router writes it. */
const application = /(<script type="module" async="">)([^<]+)(<\/script>)/;
const staticImport = /^import (?:\* as (\w+) from )?("[^"]+");$/gm;

const laterImport = /^import\(/gm;

/**
 * A built page that is painted as soon as it is there, before anything of the application is loaded: on a slow phone
 * that would share the line and the processor with it. Its styles stand in it, each before the link that React looks
 * for, which loads nothing then. `read` gives the text of a built file by its address. Throws for a page that begins
 * the application in a way that is not known here.
 */
export function paintedAtOnce(html: string, read: (address: string) => string): string {
  const modules = [...html.matchAll(modulePreload)].flatMap(([, address]) => address ?? []);
  if (modules.length > 0 && !application.test(html))
    throw new Error("React Router begins its application otherwise now: see server/platform/first-paint.ts.");
  return html
    .replaceAll(stylesheet, (link, address: string) => `<style>${read(address)}</style>${kept(link)}`)
    .replaceAll(modulePreload, "")
    .replace(
      application,
      (_all, opening: string, code: string, closing: string) =>
        opening + afterPaint(loadedInTurn(code), modules) + closing,
    );
}

/**
 * Browsers that look ahead for what to load go by `media`, not by `disabled`. React Router marks some addresses with
 * `#`; parts that are loaded later look for their styles without it.
 */
const kept = (link: string): string =>
  [...new Set([link, link.replace('#"', '"')])]
    .map((each) => each.replace("/>", ' media="not all" disabled=""/>'))
    .join("");

/** React Router's own lines, but each module is loaded when its line is reached. */
function loadedInTurn(code: string): string {
  const loaded = code
    .replaceAll(
      staticImport,
      (_all, name: string | undefined, address: string) =>
        `${name ? `const ${name} = ` : ""}await import(${address});`,
    )
    .replaceAll(laterImport, "await import(");
  if (/^\s*import\b/m.test(loaded))
    throw new Error(`An import of a page is written otherwise now: ${loaded}`);
  return loaded;
}

/**
 * Begins once the page is painted, with its own letters and its first pictures. A tab that nobody sees paints nothing,
 * and slow pictures are not worth more: there a moment is waited. Without a connection it begins when that is back;
 * after a module that did not come, which browsers never ask for again, the page is loaded anew once all are there.
 * Modules are asked for a few at a time: all at once would keep a slow phone busy for a tenth of a second.
 */
const afterPaint = (code: string, modules: readonly string[]): string =>
  `
const modules = ${JSON.stringify(modules)};
const first = (...ways) => Promise.race(ways.map((way) => new Promise(way)));
const pause = (milliseconds) => (done) => setTimeout(done, milliseconds);
const turn = (done) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { port1.close(); done(); };
  port2.postMessage(null);
};
const heard = (target, name) => (done) => target.addEventListener(name, done, { once: true });
const answered = (path) =>
  fetch(path).catch(() => first(pause(5000), heard(window, "online")).then(() => answered(path)));
const begin = async () => {
if (!navigator.onLine) await Promise.all(modules.map(answered));
for (const [at, href] of modules.entries()) {
  if (at % 4 === 3) await first(turn);
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
}
${code}
sessionStorage.removeItem("begun-anew");
};
const painted = (done) => new PerformanceObserver(done).observe({ type: "paint", buffered: true });
await first(painted, pause(1000));
const shown = [...document.images].filter((each) => each.loading !== "lazy").map((each) => each.decode().catch(() => {}));
await first((done) => void Promise.all([document.fonts.ready, ...shown]).then(done), pause(1500));
await begin().catch(async (error) => {
  if (!(error instanceof TypeError) || sessionStorage.getItem("begun-anew")) throw error;
  await Promise.all(modules.map(answered));
  sessionStorage.setItem("begun-anew", "yes");
  location.reload();
});
`
    // In an inline script nothing may look like the end of it.
    .replaceAll("</", "<\\/");
