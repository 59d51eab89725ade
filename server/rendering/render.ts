import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { matchRoutes, RouterContextProvider, ServerBuild } from "react-router";
import type { OnServer } from "#contract/on-server.ts";
import { nextPattern } from "#domain/area.ts";
import { messageOf, quoteThis } from "#domain/error-catalogue.ts";
import type { PageConfiguration } from "#protocol/configuration.ts";
import { type CompressedText, compressed } from "#server/platform/compressed.ts";
import { withHint } from "./hint.ts";

/** Functions that loaders can call, whichever page is rendered. */
export type Calls = Pick<OnServer, "rpc" | "report">;
/** Exports of `web/entry.server.tsx` beside those that React Router requires. */
type Entry = {
  createRequestHandler: (
    build: ServerBuild,
  ) => (request: Request, context: RouterContextProvider) => Promise<Response>;
  matchRoutes: typeof matchRoutes;
  RouterContextProvider: new () => RouterContextProvider;
  onServer: Parameters<RouterContextProvider["set"]>[0];
  setConfiguration: (configuration: PageConfiguration) => void;
  samples: () => string[];
};
export type Build = ServerBuild & { entry: { module: Entry } };

const preloadCode =
  'for (const link of document.querySelectorAll("link[rel=later]")) link.rel = "modulepreload";';
const isHinted = '"hint" in document.documentElement.dataset';

/** Loads the code immediately for members. It must come after the links of all modules and before styles and text. */
const early = `if (${isHinted}) ${preloadCode}`;

/** Adds the originally requested address to links that are clicked before hydration: all queries share one HTML. */
const passNext = `{
const next = new URLSearchParams(location.search).get("next");
if (${nextPattern}.test(next))
  for (const link of document.querySelectorAll(':is([href="/login"], [href="/signup"], [href="/reset-password"])'))
    link.search = "next=" + encodeURIComponent(next);
}`;

/**
 * Starts the application once the page is painted with its fonts and first pictures: on a slow phone all of its modules
 * would otherwise compete with them for bandwidth. A hidden tab paints nothing, so it waits a moment there. A signed-in
 * user (`hint.ts`) is here to do something, so it starts immediately. If the code fails to load, the page reloads when
 * the connection is back.
 */
const starter = `{
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const painted = new Promise((done) => new PerformanceObserver(done).observe({ type: "paint", buffered: true }));
const pictures = () => [...document.images].filter(({ loading }) => loading !== "lazy").map((each) => each.decode().catch(() => {}));
const begin = () => {
  ${preloadCode}
  const later = document.querySelector("script[type='text/later']");
  later.type = "module";
  later.onerror = () => addEventListener("online", () => location.reload());
  // Reinserts the script, because a browser only evaluates a script when it is inserted.
  later.parentNode.insertBefore(later, later.nextSibling);
};
const seen = () =>
  Promise.race([painted, pause(1000)])
    .then(() => Promise.race([pause(1500), Promise.all([document.fonts.ready, ...pictures()])]));
if (${isHinted}) begin();
else seen().then(begin);
}`;

/** Returns a page that is painted as soon as it arrives: its styles are inlined, and its application starts later. */
function paintedEarly(html: string, nonce: string, styleOf: (address: string) => string): string {
  return html
    .replaceAll(/<link[^>]* rel="stylesheet" href="([^"#]+)#?"[^>]*>/g, (link, address: string) => {
      // React looks for the link when it hydrates the page.
      const disabledLink = link.replace("/>", ' media="not all" disabled=""/>');
      return `<style nonce="${nonce}">${styleOf(address)}</style>${disabledLink}`;
    })
    .replaceAll('<link rel="modulepreload"', '<link rel="later"')
    .replace("<style", () => `<script nonce="${nonce}">${early}</script><style`)
    .replace('type="module" async=""', 'type="text/later"')
    .replace("</body>", () => `<script nonce="${nonce}">${passNext}\n${starter}</script></body>`);
}

/** Returns a function that reads each built file once, by its address. */
export function styleReader(client: string) {
  const texts = new Map<string, string>();
  return (address: string): string => {
    const text = texts.get(address) ?? readFileSync(join(client, address), "utf8");
    texts.set(address, text);
    return text;
  };
}

/** Returns the hashes that allow the styles in attributes. */
function hashesOf(html: string): string {
  const styles = new Set([...html.matchAll(/ style="([^"]*)"/g)].map(([, style = ""]) => style));
  const hashes = [...styles].map(
    (style) => `'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  );
  return hashes.length > 0 ? `'unsafe-hashes' ${hashes.join(" ")}` : "'none'";
}

/** Returns the policy for what a page may load and run (docs/security.md, "Headers"). */
const policy = (nonce: string, html: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `style-src-attr ${hashesOf(html)}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types default",
  ].join("; ");

/** Returns the policy in development, with Vite's own scripts and styles, and its connection for hot updates. */
const developmentPolicy = (nonce: string) =>
  `default-src 'self'; script-src 'self' 'nonce-${nonce}'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ws:; base-uri 'none'; frame-ancestors 'none'`;

export type Page = CompressedText & { status: number; headers: Record<string, string> };
/** `requestId`: of the request for the page; a page that fails shows it, as does its line of the log. */
export type PageRequest = { url: string; requestId: string };
export type Render = (order: PageRequest) => Promise<Page>;

/**
 * Creates a renderer of a build's pages, whose HTML and headers everyone gets. `styleOf` reads a stylesheet; null in
 * development, where pages link to theirs.
 */
export const createRenderer = (
  build: Build,
  configuration: PageConfiguration,
  styleOf: ((address: string) => string) | null,
) => {
  const { createRequestHandler, onServer, RouterContextProvider, setConfiguration } = build.entry.module;
  setConfiguration(configuration);
  const handle = createRequestHandler(build);

  return async ({ url, requestId }: PageRequest, calls: Calls): Promise<Page> => {
    const nonce = randomBytes(16).toString("base64");
    const context = new RouterContextProvider();
    context.set(onServer, { ...calls, nonce, requestId } satisfies OnServer);
    const response = await handle(new Request(url), context);
    const { status, headers } = response;
    const isHtml = headers.get("content-type")?.startsWith("text/html") ?? false;
    headers.set("cache-control", "no-cache");
    // Even the error page has failed, so only plain text is left.
    const isLastResort = status === 500 && !isHtml && !new URL(url).pathname.endsWith(".data");
    const body = isLastResort ? `${messageOf.internal}\n${quoteThis} ${requestId}` : await response.text();
    const page = isHtml ? withHint(body, nonce) : body;
    const text = isHtml && styleOf ? paintedEarly(page, nonce, styleOf) : page;
    if (isHtml)
      headers.set("content-security-policy", styleOf ? policy(nonce, text) : developmentPolicy(nonce));
    return { status, headers: Object.fromEntries(headers), ...(await compressed(text)) };
  };
};
