import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Begins the application once the page is painted, with its fonts and its first pictures: on a slow phone all of its
 * modules would otherwise share the line with them. A tab that nobody sees paints nothing: there it waits a moment. Code
 * that does not come is tried again when the connection is back.
 */
const starter = `{
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const painted = new Promise((done) => new PerformanceObserver(done).observe({ type: "paint", buffered: true }));
const pictures = () => [...document.images].filter(({ loading }) => loading !== "lazy").map((each) => each.decode().catch(() => {}));
const begin = () => {
  for (const link of document.querySelectorAll("link[rel=later]")) link.rel = "modulepreload";
  const later = document.querySelector("script[type='text/later']");
  later.type = "module";
  later.onerror = () => addEventListener("online", () => location.reload());
  // Set into its place once more, since a script is looked at when it comes into the page.
  later.parentNode.insertBefore(later, later.nextSibling);
};
Promise.race([painted, pause(1000)])
  .then(() => Promise.race([pause(1500), Promise.all([document.fonts.ready, ...pictures()])]))
  .then(begin);
}`;

/** A page that is painted as soon as it is there: its styles stand in it, and its application begins after that. */
export function paintedEarly(html: string, nonce: string, styleOf: (address: string) => string): string {
  return html
    .replaceAll(/<link[^>]* rel="stylesheet" href="([^"#]+)#?"[^>]*>/g, (link, address: string) => {
      // React looks for the link when it takes the page over.
      const kept = link.replace("/>", ' media="not all" disabled=""/>');
      return `<style nonce="${nonce}">${styleOf(address)}</style>${kept}`;
    })
    .replaceAll('<link rel="modulepreload"', '<link rel="later"')
    .replace('type="module" async=""', 'type="text/later"')
    .replace("</body>", () => `<script nonce="${nonce}">${starter}</script></body>`);
}

/** Reads the text of a built file by its address, once. */
export function styleReader(client: string) {
  const known = new Map<string, string>();
  return (address: string): string => {
    const text = known.get(address) ?? readFileSync(join(client, address), "utf8");
    known.set(address, text);
    return text;
  };
}
