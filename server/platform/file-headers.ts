/**
 * Content-Disposition for a file with any name: as RFC 6266 has it, in plain letters for old browsers and in full,
 * percent-encoded, for all others.
 */
export function contentDisposition(name: string, inline: boolean): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const full = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${inline ? "inline" : "attachment"}; filename="${plain}"; filename*=UTF-8''${full}`;
}

/**
 * The policy under which a browser shows a stranger's file: nothing may run or load. A PDF in view is the
 * exception: Chrome and Safari show none from within a sandbox, and their viewers load their own parts; it is sent as
 * application/pdf with nosniff, so that it can't be taken for a page.
 */
export const filePolicy = (type: string, inline: boolean): string =>
  inline && type === "application/pdf"
    ? "frame-ancestors 'none'"
    : "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";
