import { basename } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

/** What every page needs, beside React: the calls and what stands around every screen. */
const frame = [
  /node_modules\/(@tanstack\/(?!.*infinite)|@orpc\/)|preload-helper/i,
  // But for what only members are shown, or only the keyboard needs, which is loaded apart.
  /web\/frame\/(?!bell|announcements|confirm|connection|navigation|verify|watch)/,
  /web\/(content\/footer|screens\/crash|lib\/(hydration|online|configuration|page-meta))/,
  /web\/ui\/(wordmark|button|text-link|dialog|error-modal|page[.]|skeleton)/,
];
/** What rates a new password comes once one is typed. */
const forms = /web\/(ui\/form\/(?!new-password|password-strength)|lib\/drafts[.])|domain\/(email|sign-in)[.]/;
/** Code that only members' screens share, and the rules of any one part: a first visit must not load it. */
const late = /@base-ui\/|infinite|live|format-date|domain\/|paged|web\/ui\/(state-badge|show-more)/i;
/** Small, and needed by pages that have nothing else of the group that would take them along. */
const single = /domain\/(money|single-line)[.]|web\/lib\/announce[.]/;

/** Few files compress better than many. A module goes to the first group that takes it. */
const groups = [
  // With the styles that all others build on: what stands in this file comes first.
  { name: "react", priority: 2, test: /node_modules\/(react(-dom|-router)?|scheduler)\/|web\/styles\// },
  { name: "frame", priority: 1, test: (id: string) => frame.some((each) => each.test(id)) },
  { name: (id: string) => basename(id, ".ts"), test: single },
  { name: "forms", test: forms },
  // The grading guide reads the grades, and nothing else of an auction.
  { name: "auction", test: /domain\/auction[.]ts/ },
  // A field for an amount needs the parts of a form, which most of these screens do without.
  { name: "auctions", minShareCount: 2, test: /web\/screens\/auctions\/(?!money-field)/ },
  // Each of them by itself would cost every page its names.
  { name: "own", minShareCount: 2, test: /web\/(ui\/(item-list|secret-dialog|choice-group)|lib\/copy)/ },
  { name: "shared", minShareCount: 7, test: (id: string) => !late.test(id) },
];

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
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
}));
