import { mkdir, writeFile } from "node:fs/promises";
import { type Browser, chromium } from "@playwright/test";
import { buildPages } from "#scripts/build.ts";
import { screens } from "#tests/screens/all-screens.ts";
import { type Fixture, openFixture, touching } from "#tests/screens/fixture.ts";
import { type Screen, screenName } from "#tests/screens/screen.ts";
import { show } from "#tests/screens/show.ts";
import { findChromium } from "./chromium.ts";
import { sampleMails } from "./sample-mails.ts";

const [folder = "screenshots", ...nameParts] = process.argv.slice(2);
/** The sizes of a phone, a tablet and a desktop. */
const sizes = [
  { width: 390, height: 844, touched: true },
  { width: 768, height: 1024, touched: true },
  { width: 1440, height: 900, touched: false },
];
const looks = sizes.flatMap((size) => [
  { size, scheme: "light" as const },
  { size, scheme: "dark" as const },
]);
type Look = (typeof looks)[number];

const slug = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
const fileName = (screen: Screen, { size, scheme }: Look) =>
  `${slug(screenName(screen)) || "home"}.${size.width}.${scheme}.png`;

/** Returns a page with every picture in the order of the table, for a review of the whole product in a minute. */
function index(screens: readonly Screen[]): string {
  const rows = screens.map((screen) => {
    const pictures = looks.map((look) => {
      const file = fileName(screen, look);
      return `<a href="${file}"><img src="${file}" alt="${look.size.width} ${look.scheme}" loading="lazy"></a>`;
    });
    return `<section><h2>${screenName(screen)}</h2><div>${pictures.join("")}</div></section>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Wayfare, every screen</title><style>
body{font:15px/1.4 system-ui,sans-serif;margin:2rem;background:#eceae5;color:#14213d}
h2{font-size:1rem;margin:2rem 0 .5rem}div{display:flex;gap:1rem;align-items:start;overflow-x:auto}
img{height:26rem;max-width:42rem;object-fit:cover;object-position:top;border-radius:6px;box-shadow:0 1px 6px #0003}
</style><h1>Wayfare, every screen</h1>${rows.join("\n")}</html>`;
}

/** Runs in the page: waits for all animations, because placeholders appear after a moment. */
const allAppeared = `Promise.all(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished.catch(() => {})))`;

/** Takes pictures of one screen in every size and colour scheme, on touch devices or on the others. */
const take = (fixture: Fixture, screen: Screen, touched: boolean): Promise<unknown> =>
  show(fixture, screen, async (page) => {
    for (const look of looks.filter(({ size }) => size.touched === touched)) {
      await page.setViewportSize(look.size);
      await page.emulateMedia({ colorScheme: look.scheme });
      await page.evaluate(allAppeared);
      // A dialog is captured in the window; every other page from top to bottom.
      const fullPage = (await page.locator("dialog[open]").count()) === 0;
      if (fullPage) await page.evaluate("scrollTo(0, 0)");
      await page.screenshot({ path: `${folder}/${fileName(screen, look)}`, fullPage });
    }
  }).catch((error: unknown) => console.log(`${screenName(screen)}: ${String(error)}`));

/** Takes pictures of an email of every kind, as a telephone and a desktop show it. */
async function takeMails(browser: Browser, { server }: Fixture): Promise<void> {
  const page = await browser.newPage();
  for (const { kind, mail } of await sampleMails(server.dataDir))
    for (const look of looks) {
      await page.setViewportSize(look.size);
      await page.emulateMedia({ colorScheme: look.scheme });
      await page.setContent(mail.html);
      const name = `mail-${slug(kind)}.${look.size.width}.${look.scheme}.png`;
      await page.screenshot({ path: `${folder}/${name}`, fullPage: true });
    }
  await page.close();
}

/** `npm run screenshots [-- FOLDER [PART OF A NAME …]]` captures every screen in every state, and `mails`. */
async function main(): Promise<void> {
  buildPages();
  await mkdir(folder, { recursive: true });
  const selection = screens.filter(
    (screen) => nameParts.length === 0 || nameParts.some((part) => screenName(screen).includes(part)),
  );
  const browser = await chromium.launch(await findChromium());
  const fixture = await openFixture(browser, { withDemo: true });
  const touched = await touching(browser, fixture);
  try {
    for (const screen of selection) {
      await take(touched, screen, true);
      await take(fixture, screen, false);
    }
    if (nameParts.length === 0 || nameParts.includes("mails")) await takeMails(browser, fixture);
    await writeFile(`${folder}/index.html`, index(selection));
    console.log(`${selection.length * looks.length} pictures: ${folder}/index.html`);
  } finally {
    await browser.close();
    await fixture.close();
  }
}

await main();
