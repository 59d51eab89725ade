import "./styles/fonts.css";
import "./styles/theme.css";
import "./styles/print.css";
import { QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import { configurationElementId, rootElementId } from "#protocol/configuration.ts";
import { sentTiming } from "#protocol/page-timing.ts";
import type { Route } from "./+types/root.ts";
import fraunces from "./fonts/fraunces-latin.woff2?url";
import inter from "./fonts/inter-latin.woff2?url";
import { Frame } from "./frame/frame.tsx";
import { Session } from "./frame/session.tsx";
import { SignOutProvider } from "./frame/sign-out.tsx";
import { configuration } from "./lib/configuration.ts";
import { type RootData, useMarkHydrated, useRenderedAt } from "./lib/hydration.ts";
import { pageTitle } from "./lib/page-meta.ts";
import { createQueryClient, queryClient } from "./lib/query-client.ts";
import { serverClock } from "./lib/server-clock.ts";
import { CrashScreen } from "./screens/crash.tsx";
import { late } from "./ui/late.tsx";
import { LogInAgainContext } from "./ui/log-in-again-context.ts";

/** Lazy-loaded, because it is rarely needed. */
const LogInAgain = late(() => import("./screens/login/log-in-again.tsx"));

const logInAgain = (onClose: () => void) => (
  <Suspense>
    <LogInAgain onClose={onClose} />
  </Suspense>
);

const font = (url: string) =>
  ({ rel: "preload", href: url, as: "font", type: "font/woff2", crossOrigin: "anonymous" }) as const;

export const links: Route.LinksFunction = () => [
  font(inter),
  font(fraunces),
  { rel: "icon", href: "/icon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/icon-180.png" },
  { rel: "manifest", href: "/wayfare.webmanifest" },
];

/** The title while no screen has its own: while its code loads, and after a crash. */
export const meta = () => [{ title: pageTitle("Study abroad, well guided") }];

export const loader = ({ request }: Route.LoaderArgs): RootData => ({
  now: Date.now(),
  query: new URL(request.url).search,
});
/** The data describes the first page and never changes. */
export const shouldRevalidate = () => false;

/** The document around all screens, also while the code of the first one loads. */
export function Layout({ children }: { children: ReactNode }) {
  useMarkHydrated();
  // On the server each page has its own client, because one visitor's data must not reach another's page.
  const [client] = useState(() => (import.meta.env.SSR ? createQueryClient() : queryClient));
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <Links nonce="" />
        <script
          id={configurationElementId}
          type="application/json"
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: JSON.stringify(configuration()).replaceAll("<", "\\u003c") }}
        />
      </head>
      <body>
        <noscript>
          <p className="no-script">
            Wayfare needs JavaScript to log in, search and bid. You can read this page without it; for the
            rest, please turn JavaScript on and reload.
          </p>
        </noscript>
        <QueryClientProvider client={client}>
          <div id={rootElementId}>
            <PageTime />
            <LogInAgainContext value={logInAgain}>
              <SignOutProvider>
                <Frame>{children}</Frame>
                {/* After the screen, which then knows that the viewer has left, and refetches none of their data. */}
                <Session />
              </SignOutProvider>
            </LogInAgainContext>
          </div>
        </QueryClientProvider>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

/** Age in milliseconds from which a page's data are refetched: a busy server sends older pages. */
const freshFor = 5_000;

/**
 * Sets the clock from the page until the first answer. If the browser doesn't report when the page was sent, as some
 * don't over plain HTTP, it uses the time of rendering.
 */
function PageTime() {
  const renderedAt = useRenderedAt();
  const client = useQueryClient();
  useEffect(() => {
    const [page] = performance.getEntriesByType("navigation");
    if (renderedAt === 0 || !(page instanceof PerformanceNavigationTiming)) return;
    const sentAt = page.serverTiming?.find(({ name }) => name === sentTiming)?.duration ?? renderedAt;
    serverClock.pageAnswered(sentAt, page.requestStart, page.responseStart);
    if (sentAt - renderedAt > freshFor) void client.invalidateQueries();
  }, [renderedAt, client]);
  return null;
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <CrashScreen error={error} />;
}
