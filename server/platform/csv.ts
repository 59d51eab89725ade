/** What a spreadsheet takes for the beginning of a formula, in wide letters too. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
const quoted = /[",\r\n]|^\s|\s$/;

function cell(text: string): string {
  const plain = formula.test(text) ? `'${text}` : text;
  return quoted.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/**
 * A line of CSV as RFC 4180 has it. What people typed is text to a spreadsheet, never a formula: an apostrophe stands
 * before what could begin one.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;
