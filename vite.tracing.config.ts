import { defineConfig } from "vite";

/** Bundles OpenTelemetry's SDK and its users in one file: a production install has neither (docs/adr/0024). */
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: "server/platform/open-telemetry.ts",
    outDir: "build/tracing",
    license: { fileName: "third-party-notices.txt" },
  },
});
