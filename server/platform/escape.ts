const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a typed text for HTML, in an element or in an attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

/** Returns a LIKE pattern that finds a text anywhere. Characters that mean something to LIKE are escaped. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

/** Characters that a spreadsheet takes for the beginning of a formula, wide ones too. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
const quoted = /[",\r\n]|^\s|\s$/;

function cell(text: string): string {
  const plain = formula.test(text) ? `'${text}` : text;
  return quoted.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/**
 * Writes a line of CSV (RFC 4180). An apostrophe before a text that could begin a formula keeps it a text in
 * spreadsheets.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;
