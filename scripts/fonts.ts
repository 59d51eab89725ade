import { readFile, writeFile } from "node:fs/promises";
import { tool } from "./tools.ts";

/** The font with the glyphs of this text alone. */
type SubsetFont = (
  font: Buffer,
  text: string,
  options: {
    targetFormat: "woff2";
    variationAxes: Record<string, number | { min: number; max: number }>;
  },
) => Promise<Buffer>;

const { default: subsetFont }: { default: SubsetFont } = await import(tool("subset-font/index.js"));

/** Printable ASCII, Latin-1, and the signs that good typography wants: dashes, quotes, dots, arrows, money. */
const latin = [
  ...Array.from({ length: 95 }, (_, at) => 0x20 + at),
  ...Array.from({ length: 96 }, (_, at) => 0xa0 + at),
  0x131,
  0x152,
  0x153,
  0x160,
  0x161,
  0x178,
  0x17d,
  0x17e,
  0x192,
  0x2c6,
  0x2da,
  0x2dc,
  0x2010,
  0x2011,
  0x2013,
  0x2014,
  0x2018,
  0x2019,
  0x201a,
  0x201c,
  0x201d,
  0x201e,
  0x2020,
  0x2022,
  0x2026,
  0x2030,
  0x2039,
  0x203a,
  0x2044,
  0x20ac,
  0x20a6,
  0x2122,
  0x2190,
  0x2191,
  0x2192,
  0x2193,
  0x2212,
  0xfffd,
];
const text = String.fromCodePoint(...latin);

/** The weights that the theme uses: of text many, of headlines one, which halves their file. */
const fonts = [
  { name: "inter", weight: { min: 400, max: 700 } },
  { name: "fraunces", weight: 560 },
] as const;

/** `npm run fonts`: makes the fonts of web/fonts from the packages that they come in. */
for (const { name, weight } of fonts) {
  const from = `node_modules/@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`;
  const to = `web/fonts/${name}-latin.woff2`;
  const font = await subsetFont(await readFile(from), text, {
    targetFormat: "woff2",
    variationAxes: { wght: weight },
  });
  await writeFile(to, font);
  console.log(`${to}: ${font.length} bytes`);
}
