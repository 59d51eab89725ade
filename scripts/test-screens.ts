import { run } from "./checks.ts";

/** `npm run test:screens`: checks every state of every screen; `npm run test:nightly`, each screen once per role. */
const words = ["test", "accessibility.e2e", ...process.argv.slice(2)];
const failure = await run("playwright", words, { show: true, env: { SCREENS: "all" }, seconds: 3600 });
process.exitCode = failure === null ? 0 : 1;
