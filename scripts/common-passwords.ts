import { writeFile } from "node:fs/promises";
import { brotliCompressSync, constants } from "node:zlib";
import { dictionary as common } from "@zxcvbn-ts/language-common";
import { dictionary as english } from "@zxcvbn-ts/language-en";

const lists = [
  common["passwords-common"],
  english["commonWords-en"],
  english["firstnames-en"],
  english["wikipedia-en"],
];

/** What everybody tries first, in lower case, each on a line of its own: common passwords, first names, English words. */
export const commonPasswords = (): string =>
  `\n${[...new Set(lists.flat().map((word) => String(word).toLowerCase()))].toSorted().join("\n")}\n`;

/** `npm run common-passwords`: writes the list that the server reads. */
if (import.meta.main)
  await writeFile(
    new URL("../server/features/account/common-passwords.txt.br", import.meta.url),
    brotliCompressSync(commonPasswords(), { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } }),
  );
