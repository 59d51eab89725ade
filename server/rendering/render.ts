import { createHash, randomBytes } from "node:crypto";
import type { ContractRouterClient } from "@orpc/contract";
import type { matchRoutes, RouterContextProvider, ServerBuild } from "react-router";
import type { ApiReference } from "#contract/api-reference.ts";
import type { ProductState } from "#contract/auctions.ts";
import type { contract } from "#contract/index.ts";
import { messageOf } from "#domain/error-catalogue.ts";
import type { PageConfiguration } from "#protocol/configuration.ts";
import { type Compressed, compressed } from "#server/platform/compressed.ts";
import { paintedEarly } from "#server/platform/early-paint.ts";
import { quote } from "#server/platform/request-context.ts";

/** What loaders can call. */
export type Calls = {
  rpc: ContractRouterClient<typeof contract>;
  product: (id: string) => Promise<ProductState | null>;
  apiReference: () => Promise<ApiReference>;
  /** Into the log. */
  report: (error: unknown) => void;
};
/** What loaders get, as `web/load-context.ts` declares it. */
type OnServer = Calls & { nonce: string; requestId: string };
/** What `web/entry.server.tsx` exports beside what React Router asks of it. */
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

/** The hashes that allow the styles in attributes. */
function hashesOf(html: string): string {
  const styles = new Set([...html.matchAll(/ style="([^"]*)"/g)].map(([, style = ""]) => style));
  const hashes = [...styles].map(
    (style) => `'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  );
  return hashes.length > 0 ? `'unsafe-hashes' ${hashes.join(" ")}` : "'none'";
}

/** What a page may load and run (docs/security.md, "Headers"). */
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
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types default",
  ].join("; ");

/** The same with Vite's own scripts and styles, and its connection for hot updates. */
const developmentPolicy = (nonce: string) =>
  `default-src 'self'; script-src 'self' 'nonce-${nonce}'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ws:; base-uri 'none'; frame-ancestors 'none'`;

export type Page = Compressed & { status: number; headers: Record<string, string> };
/** `requestId`: of the request that has the page rendered; a page that fails carries it, as its line of the log does. */
export type PageRequest = { url: string; requestId: string };
export type Render = (order: PageRequest) => Promise<Page>;

/**
 * Renders pages of a build: the HTML that everyone gets, with its headers. `styleOf` reads a file of styles; null in
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
    const known: OnServer = { ...calls, nonce, requestId };
    const context = new RouterContextProvider();
    context.set(onServer, known);
    const response = await handle(new Request(url), context);
    const { status, headers } = response;
    const isHtml = headers.get("content-type")?.startsWith("text/html") ?? false;
    headers.set("cache-control", "no-cache");
    // Plain text is all that is left when even the error page fails.
    const isLastResort = status === 500 && !isHtml && !new URL(url).pathname.endsWith(".data");
    const body = isLastResort ? `${messageOf.internal}\n${quote(requestId)}` : await response.text();
    const text = isHtml && styleOf ? paintedEarly(body, nonce, styleOf) : body;
    if (isHtml)
      headers.set("content-security-policy", styleOf ? policy(nonce, text) : developmentPolicy(nonce));
    return { status, headers: Object.fromEntries(headers), ...(await compressed(text)) };
  };
};
