import type { StudyCountry } from "./application.ts";

/** The codes that ISO 3166-1 alpha-2 assigns to countries and territories. */
export const countries: readonly string[] = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY
  BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK
  FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR
  IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK
  ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM
  PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF
  TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
`
  .trim()
  .split(/\s+/);

/** Public pages name only these countries, so they load no others. */
export const studyCountryNames: Readonly<Record<StudyCountry, string>> = {
  CA: "Canada",
  IE: "Ireland",
  AE: "United Arab Emirates",
  GB: "United Kingdom",
  US: "United States",
};
const studyNames: Readonly<Record<string, string>> = studyCountryNames;

let names: Intl.DisplayNames | undefined;

/** Loads the names on first use, because that takes a phone about 80 ms while a page starts. */
function nameFromIntl(code: string): string {
  names ??= new Intl.DisplayNames("en", { type: "region" });
  return names.of(code) ?? code;
}

export const isCountry = (code: string): boolean => countries.includes(code);

/** Returns a country's name. Agents type theirs at sign-up, so a text that isn't a code is returned as it is. */
export const countryName = (country: string): string =>
  isCountry(country) ? (studyNames[country] ?? nameFromIntl(country)) : country;

const folded = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").replace("’", "'").toLowerCase();

/** Returns the code of a country by its name, ignoring accents and letter case; any other text is returned as it is. */
export const countryCodeOf = (text: string): string =>
  countries.find((code) => folded(countryName(code)) === folded(text)) ?? text;
