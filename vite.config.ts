import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

/** In development Vite serves the pages and passes what is the server's on, with the browser's own Host. */
const server = `http://localhost:${process.env["WAYFARE_SERVER_PORT"] ?? 3000}`;
const ofTheServer = ["/rpc", "/live", "/healthz", "/readyz", "/files"];

/** Few files compress better than many: what every page needs, and what most of the screens share. */
const groups = [
  { name: "framework", test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
  { name: "shared", minShareCount: 7 },
];

export default defineConfig({
  plugins: [reactRouter()],
  build: { rolldownOptions: { checks: { pluginTimings: false } } },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
  server: { proxy: Object.fromEntries(ofTheServer.map((path) => [path, { target: server }])) },
});
