import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { jpeg, pdf, png, webp } from "#tests/support/files.ts";
import { painted } from "#tests/support/pictures.ts";
import { pngChunk, realPng } from "#tests/support/real-png.ts";
import { type HostileName, hostileNames } from "./hostile-names.ts";
import {
  behind,
  html,
  join,
  jpegWith,
  latin,
  megabyte,
  pdfWith,
  pngMark,
  pngWith,
  script,
  svg,
  zeros,
  zip,
} from "./hostile-parts.ts";

/** The harmless file that every virus scanner detects, split in two so that this source file isn't detected. */
export const eicar = ["X5O!P%@AP[4\\PZX54(P^)7CC)7}$", "EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"].join("");

/**
 * A malicious file. `document` and `picture` are the outcomes at the two endpoints: the type that it is stored and
 * served as, or the code that refuses it. `saved` is the name that a document is saved under, if it differs.
 */
export type HostileUpload = {
  title: string;
  name?: string;
  make: () => Buffer | Promise<Buffer>;
  document: "application/pdf" | "image/jpeg" | "image/png" | "invalid-argument" | "out-of-range";
  picture: "made" | "invalid-argument" | "out-of-range";
  saved?: string;
};

const refused = { document: "invalid-argument", picture: "invalid-argument" } as const;
const onlyDocument = { document: "application/pdf", picture: "invalid-argument" } as const;
const file = (
  title: string,
  make: HostileUpload["make"],
  what: Omit<HostileUpload, "title" | "make">,
): HostileUpload => ({ title, make, ...what });

const position = {
  IFD0: { Copyright: "position" },
  IFD3: {
    GPSLatitudeRef: "N",
    GPSLatitude: "51/1 30/1 0/1",
    GPSLongitudeRef: "W",
    GPSLongitude: "0/1 7/1 0/1",
  },
};

/** Files of another type than they claim. */
const disguised: readonly HostileUpload[] = [
  file("HTML", () => latin(html), { ...refused, name: "cv.pdf" }),
  file("HTML in UTF-16", () => Buffer.from(`\ufeff${html}`, "utf16le"), { ...refused, name: "cv.pdf" }),
  file("HTML behind a byte order mark", () => Buffer.from(`\ufeff${html}`), { ...refused, name: "cv.png" }),
  file(
    "XHTML",
    () => latin(`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`),
    refused,
  ),
  file(
    "XML with an entity of a file",
    () => latin('<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>'),
    refused,
  ),
  file("SVG", () => latin(svg), { ...refused, name: "passport.svg" }),
  file("SVG, called a PNG", () => latin(svg), { ...refused, name: "passport.png" }),
  file("SVG, packed", () => gzipSync(svg), { ...refused, name: "passport.svgz" }),
  file("MHTML", () => latin(`MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${html}`), refused),
  file("the mark of a PNG and HTML", () => join(pngMark, html), refused),
  file("the mark of a JPEG and HTML", () => join("\xff\xd8\xff\xe0", html), refused),
  file("the mark of a WebP and HTML", () => join("RIFF\x20\0\0\0WEBP", html), refused),
  file("the mark of a PDF and HTML without an end", () => join("%PDF-1.7\n", html), refused),
  file("HTML before a PDF", () => join(html, pdf()), refused),
  file("a GIF with a script", () => join("GIF89a/*", Buffer.alloc(20), "*/=1;alert(1)"), {
    ...refused,
    name: "a.gif",
  }),
  file("a BMP", () => join("BM", Buffer.alloc(60)), refused),
  file("a TIFF", () => join("II*\0", Buffer.alloc(60)), refused),
  file("an icon", () => join("\0\0\x01\0\x01\0", Buffer.alloc(60)), refused),
  file("a Windows program", () => join("MZ", Buffer.alloc(200)), { ...refused, name: "cv.pdf.exe" }),
  file("a Linux program", () => join("\x7fELF", Buffer.alloc(200)), refused),
  file("a macOS program", () => join("\xcf\xfa\xed\xfe", Buffer.alloc(200)), refused),
  file("a shell script", () => latin("#!/bin/sh\nrm -rf /\n"), { ...refused, name: "cv.pdf" }),
  file("a Windows link", () => join("L\0\0\0\x01\x14\x02\0", Buffer.alloc(100)), {
    ...refused,
    name: "cv.lnk",
  }),
  file("an HTML application", () => latin(`<hta:application>${script}`), { ...refused, name: "cv.hta" }),
  file("a Word document", () => zip("word/document.xml", latin(html)), { ...refused, name: "cv.docx" }),
  file("an old Word document", () => join("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Buffer.alloc(500)), refused),
  file("a rich text", () => latin("{\\rtf1 {\\object\\objdata 01}}"), { ...refused, name: "cv.rtf" }),
];

/** Files that are valid as two types. */
const polyglots: readonly HostileUpload[] = [
  file("a PDF that is HTML too", () => pdfWith(`<<>> ${html}`), {
    ...onlyDocument,
    name: "cv.html",
    saved: "cv.html.pdf",
  }),
  file(
    "a PDF with a script",
    () => pdfWith("<</OpenAction <</S /JavaScript /JS (app.alert\\(1\\))>>>>"),
    onlyDocument,
  ),
  file(
    "a PDF that starts a program",
    () => pdfWith("<</OpenAction <</S /Launch /F (cmd.exe)>>>>"),
    onlyDocument,
  ),
  file(
    "a PDF with a file in it",
    () => join(pdfWith("<</Type /EmbeddedFile>>"), zip("a.exe", latin("MZ"))),
    onlyDocument,
  ),
  file(
    "a PDF and a long zip behind it",
    () => join(pdf(), Buffer.alloc(2000), zip("a.exe", latin("MZ"))),
    refused,
  ),
  file("a JPEG with a zip behind it", () => behind(painted().jpeg().toBuffer(), zip("a.exe", latin("MZ"))), {
    document: "image/jpeg",
    picture: "made",
    name: "cv.jar",
    saved: "cv.jar.jpg",
  }),
  file(
    "a JPEG with a program in its comment",
    () => jpegWith(0xfe, latin(`<?php system($_GET[0]); ?>${script}`)),
    {
      document: "image/jpeg",
      picture: "made",
      name: "cv.php",
      saved: "cv.php.jpg",
    },
  ),
  file("a PNG with HTML in its text", () => pngWith(pngChunk("tEXt", latin(`Comment\0${html}`))), {
    document: "image/png",
    picture: "made",
    name: "cv.html",
    saved: "cv.html.png",
  }),
  file("a PNG with HTML behind it", () => behind(realPng({ width: 64, height: 48 }), html), {
    document: "image/png",
    picture: "made",
  }),
  file("a WebP with HTML behind it", () => behind(painted().webp().toBuffer(), html), {
    document: "invalid-argument",
    picture: "made",
  }),
  file("a JPEG in a PDF's place", () => painted().jpeg().toBuffer(), {
    document: "image/jpeg",
    picture: "made",
    name: "cv.pdf",
    saved: "cv.pdf.jpg",
  }),
  file("a picture that tells where it was taken", () => painted().withExif(position).jpeg().toBuffer(), {
    document: "image/jpeg",
    picture: "made",
    name: "passport.jpg",
  }),
];

/** Files that grow when they are read. */
const bombs: readonly HostileUpload[] = [
  file("a zip that unpacks to 50 MB", () => zip("a", Buffer.alloc(50 * megabyte)), {
    ...refused,
    name: "cv.zip",
  }),
  file("a gzip that unpacks to 50 MB", () => gzipSync(Buffer.alloc(50 * megabyte)), refused),
  file("a PNG of 50,001 × 50,000 pixels", () => png(50_001, 50_000), {
    document: "out-of-range",
    picture: "out-of-range",
  }),
  file("a PNG of 49,000,000 × 1 pixels", () => png(49_000_000, 1), {
    document: "out-of-range",
    picture: "out-of-range",
  }),
  file("a PNG of 2³¹ − 1 pixels a side", () => png(2 ** 31 - 1, 2 ** 31 - 1), {
    document: "out-of-range",
    picture: "out-of-range",
  }),
  file("a PNG of no pixels", () => png(0, 0), refused),
  file("a JPEG of 65,535 × 65,535 pixels", () => jpeg(65_535, 65_535), {
    document: "out-of-range",
    picture: "out-of-range",
  }),
  file("a WebP of 16,383 × 16,383 pixels", () => webp(16_383, 16_383), {
    document: "invalid-argument",
    picture: "out-of-range",
  }),
  file(
    "a small PNG of which the pixels unpack to 50 MB",
    () => {
      const whole = png(8, 8);
      return join(
        whole.subarray(0, 33),
        pngChunk("IDAT", zeros(50 * megabyte)),
        pngChunk("IEND", Buffer.alloc(0)),
      );
    },
    { document: "image/png", picture: "invalid-argument" },
  ),
  file(
    "a PNG with a text that unpacks to 45 MB",
    () => pngWith(pngChunk("zTXt", join("Comment\0\0", zeros(45 * megabyte)))),
    {
      document: "image/png",
      picture: "made",
    },
  ),
  file(
    "a PNG with a profile that unpacks to 45 MB",
    () => pngWith(pngChunk("iCCP", join("profile\0\0", zeros(45 * megabyte)))),
    {
      document: "image/png",
      picture: "made",
    },
  ),
  file(
    "a PNG of 200,000 empty parts",
    () => pngWith(Buffer.concat(Array<Buffer>(200_000).fill(pngChunk("tEXt", latin("a\0b"))))),
    refused,
  ),
  file("a JPEG of 5 MB of fill bytes", () => join("\xff\xd8", Buffer.alloc(5 * megabyte, 0xff)), refused),
  file("a PDF of 150,000 ends", () => join("%PDF-1.7\n", "%%EOF\n".repeat(150_000)), refused),
  file("a document over the limit", () => pdf(20 * megabyte + 1), {
    document: "out-of-range",
    picture: "out-of-range",
  }),
];

/** Incomplete files. */
const broken: readonly HostileUpload[] = [
  file("nothing", () => Buffer.alloc(0), refused),
  file("one byte", () => latin("%"), refused),
  file("a PDF that is cut off", () => pdf(5000).subarray(0, 4000), refused),
  file("a JPEG that is cut off", async () => (await painted().jpeg().toBuffer()).subarray(0, 200), refused),
  file(
    "a PNG that is cut off",
    async () => (await realPng({ width: 64, height: 48 })).subarray(0, 60),
    refused,
  ),
  file("a WebP that is cut off", async () => (await painted().webp().toBuffer()).subarray(0, 40), refused),
  file("a PNG whose pixels are none", () => png(8, 8), {
    document: "image/png",
    picture: "invalid-argument",
  }),
  file("a JPEG whose pixels are none", () => jpeg(8, 8), {
    document: "image/jpeg",
    picture: "invalid-argument",
  }),
  file(
    "a PNG whose part is longer than it",
    () => join(pngMark, "\x7f\xff\xff\xffIHDR", Buffer.alloc(100)),
    refused,
  ),
];

/** Files that a virus scanner finds. Without a scanner, only those that aren't documents are refused. */
const infected: readonly HostileUpload[] = [
  file("EICAR", () => latin(eicar), { ...refused, name: "eicar.com" }),
  file("EICAR in a zip", () => zip("eicar.com", latin(eicar)), { ...refused, name: "cv.pdf" }),
];

/** Returns a valid file with a hostile name; only the documents' endpoint receives the name. */
const withName = ([title, name, saved]: HostileName): HostileUpload =>
  file(`a name ${title}`, () => pdf(), {
    name,
    picture: "invalid-argument",
    document: saved === undefined ? "invalid-argument" : "application/pdf",
    ...(saved !== undefined && { saved }),
  });

export const hostileUploads: readonly HostileUpload[] = [
  ...disguised,
  ...polyglots,
  ...bombs,
  ...broken,
  ...infected,
  ...hostileNames.map(withName),
];

/** Returns the kinds of metadata that a picture contains. */
export async function metadataKinds(bytes: Buffer): Promise<string[]> {
  const metadata = await sharp(bytes).metadata();
  return (["exif", "icc", "iptc", "xmp", "comments"] as const).filter((each) => metadata[each] !== undefined);
}
