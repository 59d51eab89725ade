/** A title for the test, the name, and the name that the file is saved under if it is accepted and renamed. */
export type HostileName = readonly [title: string, name: string, saved?: string];

/** Malicious file names. */
export const hostileNames: readonly HostileName[] = [
  ["that leads to a parent folder", "../../etc/passwd"],
  ["that leads upwards on Windows", "..\\..\\cv.pdf"],
  ["that is a path", "/etc/cv.pdf"],
  ["of dots", ".."],
  ["of blanks", "   "],
  ["with a null", "cv.html\0.pdf"],
  ["with a line", "cv.pdf\r\nSet-Cookie: a=b"],
  ["with a line separator", "cv\u2028.pdf"],
  ["that is turned around", "cv\u202efdp.exe"],
  ["that is isolated", "cv\u2066fdp.exe"],
  ["with half a character", "cv\ud800.pdf"],
  ["that is too long", `${"a".repeat(300)}.pdf`],
  ["with quotes", 'a"; filename="evil.html', 'a"; filename="evil.html.pdf'],
  ["with percent signs", "%2e%2e%2fcv.pdf", "%2e%2e%2fcv.pdf"],
  ["of a program", "cv.pdf.exe", "cv.pdf.exe.pdf"],
  ["with markup", `<img src=x onerror=alert(1)>.pdf`, `<img src=x onerror=alert(1)>.pdf`],
  ["of a device", "CON", "CON.pdf"],
];
