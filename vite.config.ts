import { MantineProvider } from "@mantine/core";
import { reactRouter } from "@react-router/dev/vite";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { defineConfig, type Plugin } from "vite";
import { theme } from "./web/theme.ts";

const any = (...parts: readonly string[]) => new RegExp(parts.join("|"), "i");

/** What every page needs, beside React: the calls and what stands around every screen. */
const frame = any(
  "node_modules/@tanstack/(?!.*infinite)",
  "node_modules/@orpc/",
  "preload-helper",
  // But for what only members are shown, or only the keyboard needs, which is loaded apart.
  "web/frame/(?!bell|announcements|keep-focus|navigation|verify|watch|with)",
  "web/(content/footer|screens/crash)",
  "web/lib/(hydration|online|configuration|page-meta|rendered-once)",
  "web/ui/(wordmark|icon-button|button|link-button|text-link|dialog|error-modal|failure[.]|page[.]|skeleton|screen-skeleton)",
);
/** Mantine's styles system, for the screens that use its parts. */
const mantine = any(
  "node_modules/@mantine/core/esm/core/",
  // Announcements name themselves by it, and need nothing else of what forms need.
  "node_modules/@mantine/hooks/esm/utils/random-id/",
  "web/(theme|ui/mantine|frame/with-mantine|styles/mantine)",
);
const forms = any(
  "@mantine/core/esm/components/(Input|InputBase|TextInput|Textarea|NativeSelect|Combobox|CloseButton)/",
  "web/ui/form/",
  "web/lib/drafts[.]ts",
  "domain/(email|sign-in)[.]ts",
);
/** Of Mantine's parts those that no public page has. */
const parts = any("@mantine/core/esm/components/(Text|Title|Group|Stack|Anchor)/");
/** What many screens share, but neither the frame nor the public pages need: it must not come with a first visit. */
const late = any(
  "node_modules/@mantine/",
  "infinite",
  "domain/(live-topic|file-rules)",
  "web/lib/(live|use-live|format-date|paged)[.]ts",
  "web/ui/(state-badge|show-more)",
);

/** With the styles that all others build on: what stands in this file comes first. */
const framework = any(
  "node_modules/(react|react-dom|react-router|scheduler)/",
  "node_modules/@mantine/core/styles/default-css-variables",
  "web/styles/(?!mantine)",
);

/** Few files compress better than many. A module goes to the first group that takes it. */
const groups = [
  { name: "framework", priority: 3, test: framework },
  { name: "frame", priority: 2, test: frame },
  { name: "mantine", priority: 2, test: mantine },
  { name: "forms", priority: 1, test: forms },
  { name: "parts", priority: 1, test: parts },
  // The grading guide reads the grades, and nothing else of an auction.
  { name: "auction", priority: 1, test: any("domain/auction[.]ts") },
  // A field for an amount needs the parts of a form, which most of these screens do without.
  { name: "auctions", minShareCount: 2, test: any("web/screens/auctions/(?!money-field)") },
  { name: "shared", minShareCount: 7, test: (id: string) => !late.test(id) },
];

/** Mantine writes out fourteen colours, each with its variants; these are the ones that nothing here is coloured with. */
const unused = new RegExp(
  `(?<=[{;]\\s*)--mantine-(${[
    "color-(blue|cyan|grape|green|indigo|lime|orange|pink|teal|violet|yellow)-",
    "color-(apricot|dark|gray|red)-(text|light|outline)",
    "color-(apricot|dark|gray)-filled-hover",
    "primary-color-[0-9]",
    "breakpoint-",
    "z-index-",
  ].join("|")})[^;]*;`,
  "g",
);
/** What Mantine's provider would write into every page, once and for all: all variables, as our theme has them. */
const ofTheme = () =>
  renderToStaticMarkup(
    createElement(MantineProvider, { theme, deduplicateCssVariables: false, cssVariablesSelector: ":root" }),
  ).replaceAll(/<\/?style[^>]*>/g, "");
const themeVariables: Plugin = {
  name: "theme-variables",
  enforce: "pre",
  transform: (_code, id) =>
    id.endsWith("/default-css-variables.css") ? ofTheme().replaceAll(unused, "") : null,
};

export default defineConfig(({ command }) => ({
  // Files that keep their name: icons, the picture for previews, the manifest.
  publicDir: "web/public",
  plugins: [reactRouter(), themeVariables],
  build: { rolldownOptions: { checks: { pluginTimings: false } } },
  // The server's bundle holds all that it runs, in React's production mode: a production install needs no more.
  ...(command === "build" && {
    ssr: { noExternal: true },
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
  }),
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
}));
