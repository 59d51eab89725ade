import { parseArgs } from "node:util";

export type Write = (text: string) => void | Promise<void>;

export const wrong = (message: string) => new Error(`${message} \`npm run admin\` lists the commands.`);

/** Joins cells into a line without control characters, which a terminal would interpret. */
export const line = (...cells: readonly string[]) => `${cells.join("  ").replaceAll(/\p{Cc}+/gu, " ")}\n`;

export const amountOf = (number: number, one: string, many = `${one}s`) =>
  `${number} ${number === 1 ? one : many}`;

type Options = NonNullable<Parameters<typeof parseArgs>[0]>["options"] & object;

export function parse<const Known extends Options>(words: readonly string[], options: Known) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}
