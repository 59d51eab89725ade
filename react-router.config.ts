import { writeFile } from "node:fs/promises";
import type { Config } from "@react-router/dev/config";
import { pathsOf } from "./web/paths.ts";

/** Public pages: the same for everyone, written to HTML at build time. */
const prerendered = [
  "/",
  "/login",
  "/signup",
  "/reset-password",
  "/verify-email",
  "/about-us",
  "/meet-the-team",
  "/explore",
  "/auctions",
  "/grading-guide",
  "/contact",
  "/privacy",
  "/terms",
];

export default {
  appDirectory: "web",
  ssr: false,
  prerender: prerendered,
  // The server answers 404 for every address that is not in this list.
  async buildEnd({ buildManifest, reactRouterConfig }) {
    const routes = pathsOf(buildManifest?.routes ?? {});
    await writeFile(
      `${reactRouterConfig.buildDirectory}/routes.json`,
      JSON.stringify({ routes, prerendered }, null, 2),
    );
  },
} satisfies Config;
