import { Readable } from "node:stream";
import type { DocumentType } from "#domain/document.ts";
import { documentRules } from "#server/features/documents/commands/store-upload.ts";
import { receiveUpload } from "#server/platform/receive-upload.ts";
import type { Storage } from "#server/platform/storage.ts";
import { type Content, type PlannedDocument, scans } from "./documents.ts";
import { passportScan } from "./drawings.ts";
import { at } from "./random.ts";

/**
 * Escapes a line for PDF. A line with other than Latin letters is left empty, because PDF's standard fonts don't have
 * them.
 */
const escapeLine = (line: string): string =>
  /^[ -~\u00a0-\u00ff]*$/.test(line.normalize("NFC"))
    ? line.normalize("NFC").replaceAll(/[\\()]/g, "\\$&")
    : "";

/** Returns a page of text as a minimal PDF that every reader opens. */
function pdfOf(title: string, lines: readonly string[]): Buffer {
  const text = [
    `BT /F1 20 Tf 60 770 Td (${escapeLine(title)}) Tj /F1 12 Tf 0 -14 Td`,
    ...lines.map((line) => `0 -22 Td (${escapeLine(line)}) Tj`),
    "ET",
  ].join("\n");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${Buffer.byteLength(text, "latin1")} >>\nstream\n${text}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, place) => {
    const offset = file.length;
    file += `${place + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, "0");
  });
  const table = ["0000000000 65535 f ", ...offsets.map((offset) => `${offset} 00000 n `)].join("\n");
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n${table}\ntrailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, "latin1");
}

const palette = [
  { main: "#8a5a3c", dark: "#22303f", light: "#e6ecdf" },
  { main: "#c58c63", dark: "#4a2338", light: "#e3e7f0" },
] as const;

const drawScans = (): Promise<Buffer[]> =>
  Promise.all(
    Array.from({ length: scans }, (_, number) =>
      passportScan(at(palette, number >> 1), number % 2 === 0 ? "jpeg" : "png"),
    ),
  );

export type StoredDocument = PlannedDocument["row"] & { size: number; mediaType: DocumentType };

/** Stores the files after the same check as for an upload. */
export async function storeDocuments(
  storage: Pick<Storage, "withDraft" | "take">,
  planned: readonly PlannedDocument[],
): Promise<StoredDocument[]> {
  const scanned = await drawScans();
  const bytesOf = (content: Content) =>
    content.kind === "scan" ? at(scanned, content.number) : pdfOf(content.title, content.lines);
  const documents: StoredDocument[] = [];
  for (const { row, content } of planned) {
    const bytes = bytesOf(content);
    const body = { body: () => Readable.from([bytes]), size: bytes.length };
    const { type } = await receiveUpload(storage, documentRules, body, async (draft, file) => {
      await storage.take(draft, row.storageKey);
      return file;
    });
    documents.push({ ...row, size: bytes.length, mediaType: type });
  }
  return documents;
}
