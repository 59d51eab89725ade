import { writeFile } from "node:fs/promises";
import type { Config } from "@react-router/dev/config";
import { samples } from "./web/content/samples.ts";
import { guardedPathsOf, pathsOf } from "./web/paths.ts";

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

/** Built like them, but sent by the server in place of others: what an unknown address and a failure answer. */
const inPlaceOfOthers = ["/404", "/500"];

/** Built for one address, and sent by the server for all of the same form: what they have in common. */
const inPlaceOfForm = { "/product/:productId": "/product/00000000-0000-0000-0000-000000000000" };

export default {
  appDirectory: "web",
  ssr: false,
  prerender: [...prerendered, ...inPlaceOfOthers, ...Object.values(inPlaceOfForm)],
  // The server answers 404 for every address that is not in this list.
  async buildEnd({ buildManifest, reactRouterConfig }) {
    const all = buildManifest?.routes ?? {};
    const routes = pathsOf(all).filter((path) => !inPlaceOfOthers.includes(path));
    // What is behind a guard and not the same for everyone is no search engine's business.
    const ofMembers = guardedPathsOf(all).filter((path) => !prerendered.includes(path));
    await writeFile(
      `${reactRouterConfig.buildDirectory}/routes.json`,
      JSON.stringify({ routes, prerendered, inPlaceOfForm, ofMembers, samples: samples() }, null, 2),
    );
  },
} satisfies Config;
