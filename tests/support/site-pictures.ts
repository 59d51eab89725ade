import { readFile, writeFile } from "node:fs/promises";
import { chromium } from "@playwright/test";
import sharp from "sharp";
import { findChromium } from "./chromium.ts";

const folder = "web/public";
/** Reads the file instead of importing it, so that only pages depend on its exports. */
const words = await readFile("web/content/home.ts", "utf8");
const headline = /headline =\s*"([^"]+)"/.exec(words)?.[1] ?? "Wayfare";
const mark = await readFile(`${folder}/icon.svg`, "utf8");

/** Devices cut the corners of their home screen's icons themselves. */
const square = mark.replace('rx="8"', "");
const icons = [
  { size: 180, svg: square },
  { size: 192, svg: mark },
  { size: 512, svg: mark },
] as const;

const fontFile = async (name: string) =>
  `data:font/woff2;base64,${await readFile(`web/fonts/${name}-latin.woff2`, "base64")}`;

/** Returns the card for previews of links: the logo, the headline and a route from place to place. */
const card = async () => `<!doctype html><style>
  @font-face { font-family: Fraunces; src: url(${await fontFile("fraunces")}); font-weight: 560 }
  body { margin: 0; width: 1200px; height: 630px; background: #0e5a4e; color: #fbf9f5; font-family: Fraunces }
  svg.way { position: absolute; inset: 0 }
  .brand { position: absolute; left: 84px; top: 72px; display: flex; align-items: center; gap: 18px; font-size: 44px; font-weight: 560 }
  .brand svg { width: 60px }
  h1 { position: absolute; left: 84px; bottom: 60px; width: 760px; margin: 0; font-size: 80px; font-weight: 560; line-height: 1.08; letter-spacing: -0.02em; text-wrap: balance }
</style>
<svg class="way" viewBox="0 0 1200 630" width="1200" height="630">
  <path d="M-20 520 C 240 440 420 600 700 540 S 1060 440 1220 500 V 650 H -20 Z" fill="#0b493f"/>
  <path d="M560 150 C 700 60 800 210 880 160 S 1010 60 1040 190 S 930 380 1050 420" fill="none" stroke="#a9d3c8" stroke-width="6" stroke-dasharray="1 18" stroke-linecap="round"/>
  <circle cx="560" cy="150" r="14" fill="#fbf9f5"/><circle cx="880" cy="160" r="10" fill="#fbf9f5"/>
  <circle cx="1050" cy="424" r="22" fill="#f28c52"/>
</svg>
<div class="brand">${mark.replace("#0e5a4e", "#0b493f")}<span>Wayfare</span></div><h1>${headline}</h1>`;

async function socialPicture(): Promise<Buffer> {
  const browser = await chromium.launch(await findChromium());
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
    await page.setContent(await card());
    await page.evaluate("document.fonts.ready");
    return await page.screenshot({ type: "png" });
  } finally {
    await browser.close();
  }
}

/** Wraps a PNG of 32 pixels in an .ico file, which some browsers and programs request whatever the page says. */
function icoOf(picture: Buffer): Buffer {
  const head = Buffer.alloc(22);
  // The header has one icon with one picture; 32 × 32 pixels, one plane, 32 bits; then its length and its offset.
  for (const [at, value] of [
    [2, 1],
    [4, 1],
    [10, 1],
    [12, 32],
  ] as const)
    head.writeUInt16LE(value, at);
  head.writeUInt8(32, 6);
  head.writeUInt8(32, 7);
  head.writeUInt32LE(picture.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, picture]);
}

/** `npm run pictures` regenerates the icons and the preview's picture in web/public. */
const png = { palette: true, effort: 10 } as const;
for (const { size, svg } of icons) {
  const picture = sharp(Buffer.from(svg), { density: (72 * size) / 32 }).resize(size, size);
  await writeFile(`${folder}/icon-${size}.png`, await picture.png(png).toBuffer());
}
await writeFile(
  `${folder}/favicon.ico`,
  icoOf(await sharp(Buffer.from(mark), { density: 300 }).resize(32, 32).png(png).toBuffer()),
);
await writeFile(
  `${folder}/social.png`,
  await sharp(await socialPicture())
    .png(png)
    .toBuffer(),
);
