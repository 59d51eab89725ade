import { defineConfig } from "vite";

/** The part of the application that the server runs (web/first-sight/), in one file that needs no package. */
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: "web/first-sight/first-sight.tsx",
    outDir: "build/first-sight",
    rolldownOptions: { checks: { pluginTimings: false, moduleLevelDirective: false } },
  },
});
