import { readFile, writeFile } from "node:fs/promises";
import { tool } from "./tools.ts";

/** Returns the font with only the glyphs of this text. */
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
const codes = [
  ...Array.from({ length: 95 }, (_, at) => 0x20 + at),
  ...Array.from({ length: 96 }, (_, at) => 0xa0 + at),
];
const signs = "ıŒœŠšŸŽžƒˆ˚˜\u2010\u2011–—‘’‚“”„†•…‰‹›⁄€₦™←↑→↓−\ufffd";
const text = `${String.fromCodePoint(...codes)}${signs}`;

/** The weights that the theme uses: many for text, one for headlines, which halves their file. */
const fonts = [
  { name: "inter", weight: { min: 400, max: 700 } },
  { name: "fraunces", weight: 560 },
] as const;

/** `npm run fonts`: makes the fonts of web/fonts from their packages. */
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
