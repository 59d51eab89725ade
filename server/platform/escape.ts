const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text that somebody typed, safe to stand in HTML: in an element or in an attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

/** A text as a LIKE pattern that finds it anywhere: characters that mean something to LIKE stand for themselves. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

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
