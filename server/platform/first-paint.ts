const stylesheet = /<link rel="stylesheet" href="([^"#]+)#?"\/>/g;
const modulePreload = /<link rel="modulepreload" href="([^"]+)"\/>/g;
/** The script that begins the application, as React Router writes it. */
const application = /(<script type="module" async="">)([^<]+)(<\/script>)/;
const staticImport = /^import (?:\* as (\w+) from )?("[^"]+");$/gm;

/**
 * A built page that is painted as soon as it is there, before anything of the application is loaded: on a slow phone
 * that would share the line and the processor with it. Its styles stand in it, each before the link that React looks
 * for, which loads nothing then. `read` gives the text of a built file by its address.
 */
export function paintedAtOnce(html: string, read: (address: string) => string): string {
  const modules = [...html.matchAll(modulePreload)].map(([, address]) => address);
  return html
    .replaceAll(stylesheet, (link, address: string) => `<style>${read(address)}</style>${kept(link)}`)
    .replaceAll(modulePreload, "")
    .replace(
      application,
      (_all, opening: string, code: string, closing: string) => opening + afterPaint(code, modules) + closing,
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

/** Begins with the first paint. A tab that nobody sees paints nothing: there a second is waited for it. */
const afterPaint = (code: string, modules: readonly (string | undefined)[]): string => `
let begun = false;
const begin = async () => {
if (begun) return;
begun = true;
for (const href of ${JSON.stringify(modules)})
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
${code.replaceAll(staticImport, (_all, name: string | undefined, address: string) => `${name ? `const ${name} = ` : ""}await import(${address});`)}
};
new PerformanceObserver(begin).observe({ type: "paint", buffered: true });
setTimeout(begin, 1000);
`;
