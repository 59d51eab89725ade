/**
 * Files that `npm test` leaves to `npm run test:nightly`, by their paths or patterns of them; CI runs both. They take long:
 * tests that start, kill and copy whole servers, that send odd inputs by the hundred, or that check every screen; and
 * stories of what people do all day under other circumstances, such as a lost connection or a keyboard alone.
 */
export const nightlyTests = [
  "packages/embedded-postgres/src/{keep-running,lock,recovery,root,start}.test.ts",
  "server/backup/*.test.ts",
  "server/features/auctions/pictures/picture-maker.test.ts",
  "server/features/programmes/finding/same-answers-long.test.ts",
  "tests/access/{api-fuzz,fuzz}.test.ts",
  "tests/hostile/hostile-uploads.test.ts",
  "tests/pages/html.test.ts",
  "tests/process/{bidding-under-load,conversations-long,install,operator-commands,processes}.test.ts",
  "tools/demo/fill.test.ts",
  "tools/import/*.test.ts",
];

export const nightlyStories = [
  "accessibility",
  "application-page",
  "back-after-logout",
  "before-hydration",
  "bid-asked-once-more",
  "busy-forms",
  "canaries",
  "failing-pages",
  "getting-back",
  "kept-words",
  "keyboard-*",
  "long-names",
  "motion-and-targets",
  "offline",
  "picture-shapes",
  "public-pages",
  "routes",
  "server-restart",
  "sharing",
  "slow-code",
  "startup",
  "wrong-clock",
  "your-data",
].map((name) => `${name}.e2e.ts`);
