import "@mantine/core/styles/default-css-variables.css";
import "./styles/ground.css";
import "./styles/fonts.css";
import "./styles/identity.css";
import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import { configurationElementId, rootElementId } from "#domain/configuration.ts";
import type { Route } from "./+types/root.ts";
import fraunces from "./fonts/fraunces-latin.woff2?url";
import inter from "./fonts/inter-latin.woff2?url";
import { Frame } from "./frame/frame.tsx";
import { Session } from "./frame/session.tsx";
import { SignOutProvider } from "./frame/sign-out.tsx";
import { rememberEarlyPress } from "./lib/early-press.ts";
import { pageTitle } from "./lib/page-meta.ts";
import { queryClient } from "./lib/query-client.ts";
import { CrashScreen } from "./screens/crash.tsx";
import { ScreenSkeleton } from "./ui/screen-skeleton.tsx";

const font = (url: string) =>
  ({ rel: "preload", href: url, as: "font", type: "font/woff2", crossOrigin: "anonymous" }) as const;

export const links: Route.LinksFunction = () => [
  font(inter),
  font(fraunces),
  { rel: "icon", href: "/icon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/icon-180.png" },
  { rel: "manifest", href: "/wayfare.webmanifest" },
];

/** Where no screen says its own: while its code is on the way, and after a crash. */
export const meta = () => [{ title: pageTitle("Study abroad, well guided") }];

/** Empty when built: our server writes the configuration into every page that it sends. */
const developmentConfiguration = import.meta.env["VITE_CONFIGURATION"];

/** Before anything is painted, and whenever the device changes its mind: all our colours hang on this attribute. */
const followColourScheme = `{
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => { document.documentElement.dataset.mantineColorScheme = dark.matches ? "dark" : "light" };
follow();
dark.addEventListener("change", follow);
}`;

/** Everything that stays while screens come and go, also while the code of the first one is on its way. */
export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" data-mantine-color-scheme="light" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <script id="colour-scheme" dangerouslySetInnerHTML={{ __html: followColourScheme }} />
        <script id="early-press" dangerouslySetInnerHTML={{ __html: rememberEarlyPress }} />
        <Meta />
        <Links />
        <script
          id={configurationElementId}
          type="application/json"
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: developmentConfiguration ?? "" }}
        />
      </head>
      <body>
        <QueryClientProvider client={queryClient}>
          <div id={rootElementId}>
            <SignOutProvider>
              <Session />
              <Frame>{children}</Frame>
            </SignOutProvider>
          </div>
        </QueryClientProvider>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export function HydrateFallback() {
  return <ScreenSkeleton />;
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <CrashScreen error={error} />;
}
