import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";

/** In development Vite serves the pages and passes what is the server's on, with the browser's own Host. */
const server = `http://localhost:${process.env["WAYFARE_SERVER_PORT"] ?? 3000}`;
const ofTheServer = ["/rpc", "/live", "/healthz", "/readyz", "/files", "/pictures", "/auctions/products"];

const any = (...parts: readonly string[]) => new RegExp(parts.join("|"), "i");

/** What every page needs, beside React: the theme, the calls and what stands around every screen. */
const frame = any(
  "node_modules/@mantine/core/esm/core/(?!utils/create-scoped)",
  "node_modules/@tanstack/(?!.*infinite)",
  "node_modules/@orpc/",
  "preload-helper",
  // But for what only members are shown, or only the keyboard needs, which is loaded apart.
  "web/frame/(?!bell|announcements|keep-focus|verify|watch)",
  "web/(theme|content/footer|screens/crash)",
  "web/ui/(wordmark|icon-button|dialog|error-modal|page[.])",
);
const forms = any(
  "@mantine/core/esm/components/(Input|InputBase|TextInput|Textarea|NativeSelect|Combobox|CloseButton)/",
  "web/ui/form/",
);
/** What many screens share, but neither the frame nor the public pages need: it must not come with a first visit. */
const late = any(
  "@mantine/(notifications|store)/",
  "infinite",
  "domain/live-topic",
  "web/lib/(live|use-live|drafts|format-date)[.]ts",
  "web/ui/(link-button|state-badge)",
);

/** With the styles that all others build on: what stands in this file comes first. */
const framework = any(
  "node_modules/(react|react-dom|react-router|scheduler)/",
  "node_modules/@mantine/core/styles/default-css-variables",
  "web/styles/",
);

/** Few files compress better than many. A module goes to the first group that takes it. */
const groups = [
  { name: "framework", priority: 3, test: framework },
  { name: "frame", priority: 2, test: frame },
  { name: "forms", priority: 1, test: forms },
  { name: "auctions", minShareCount: 2, test: any("web/screens/auctions/") },
  { name: "shared", minShareCount: 7, test: (id: string) => !late.test(id) },
];

/** Mantine writes out the shades of its fourteen colours; these are the ones that nothing here is coloured with. */
const unused =
  /^\s*--mantine-color-(blue|cyan|grape|green|indigo|lime|orange|pink|teal|violet|yellow)-[^;]*;\n/gm;
const withoutUnusedColours: Plugin = {
  name: "without-unused-colours",
  enforce: "pre",
  transform: (code, id) => (id.endsWith("/default-css-variables.css") ? code.replace(unused, "") : null),
};

export default defineConfig({
  // Files that keep their name: icons, the picture for previews, the manifest.
  publicDir: "web/public",
  plugins: [reactRouter(), withoutUnusedColours],
  build: { rolldownOptions: { checks: { pluginTimings: false } } },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
  server: { proxy: Object.fromEntries(ofTheServer.map((path) => [path, { target: server }])) },
});
