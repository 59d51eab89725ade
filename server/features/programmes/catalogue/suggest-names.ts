import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import type { StudyCountry } from "#domain/application.ts";
import { isStudyCountry } from "#domain/catalogue.ts";
import { memoize } from "#server/platform/memoize.ts";

/** Maximum number of suggestions. */
const maxSuggestions = 20;

type Suggestion = { country: StudyCountry; name: string; key: string };

/** Returns a name in lower case without accents, for searching. */
export const institutionNameKey = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();

/** Loads the names on the first search, because nothing else needs them. */
const allNames = memoize(async (file: URL): Promise<Suggestion[]> => {
  const text = (await promisify(brotliDecompress)(await readFile(file))).toString();
  return text
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [country, name] = [line.slice(0, 2), line.slice(3)];
      return isStudyCountry(country) ? [{ country, name, key: institutionNameKey(name) }] : [];
    });
});
const file = new URL("institution-names.txt.br", import.meta.url);

/**
 * Returns institution names from the list shipped with Wayfare that contain a text, those that begin with it first. The
 * catalogue need not have them.
 */
export async function suggestInstitutionNames(search: string, country?: StudyCountry): Promise<string[]> {
  const text = institutionNameKey(search);
  if (text === "") return [];
  const matches = (await allNames(file)).filter(
    (each) => each.key.includes(text) && (country === undefined || each.country === country),
  );
  const rank = ({ key }: Suggestion) => (key.startsWith(text) ? 0 : 1);
  return matches
    .toSorted((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1))
    .slice(0, maxSuggestions)
    .map(({ name }) => name);
}
