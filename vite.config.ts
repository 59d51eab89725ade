import { reactRouter } from "@react-router/dev/vite";
import type { Rolldown } from "vite";
import { defineConfig } from "vite";

const entries = /web\/(root|entry[.]client)[.]tsx/;
/** All icons seem to be imported by every module that imports one, because their package has a single index. */
const icons = "@tabler/icons-react/dist/esm/icons/";

/** Returns whether every page needs a module: the root or the browser's entry imports it, directly or indirectly. */
function isOnEveryPage(id: string, modules: Rolldown.ChunkingContext): boolean {
  const importers = new Set([id]);
  // Also visits the importers that are added meanwhile.
  for (const importer of importers) {
    if (entries.test(importer)) return true;
    for (const next of modules.getModuleInfo(importer)?.importers ?? []) importers.add(next);
  }
  return false;
}

/** One file compresses better than many, and every page needs all of this one. */
const everyPage: Rolldown.CodeSplittingGroup = {
  name: (id, modules) => (id.includes(icons) || !isOnEveryPage(id, modules) ? null : "every-page"),
};

/**
 * Names only the files that are entry points. The names of shared files would make the route map, which comes with
 * every page, a seventh larger.
 */
const chunkFileNames = ({ isDynamicEntry }: Pick<Rolldown.PreRenderedChunk, "isDynamicEntry">): string =>
  isDynamicEntry ? "assets/[name]-[hash].js" : "assets/[hash].js";

export default defineConfig(({ command }) => ({
  publicDir: "web/public",
  plugins: [reactRouter()],
  build: {
    license: { fileName: "third-party-notices.txt" },
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  // The server's bundle holds all that it runs, in React's production mode: a production install needs no more.
  ...(command === "build" && {
    ssr: { noExternal: true },
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
  }),
  environments: {
    client: {
      build: { rolldownOptions: { output: { chunkFileNames, codeSplitting: { groups: [everyPage] } } } },
    },
  },
}));
