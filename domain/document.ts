import type { ErrorCode } from "#domain/error-catalogue.ts";
import { typeByStart } from "#domain/file-start.ts";

/** A student's six document slots. */
export const documentKinds = [
  "transcript",
  "cv",
  "statement",
  "recommendation1",
  "recommendation2",
  "passport",
] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** What the slots are called on the screens and in what people are told. */
export const documentLabel: Record<DocumentKind, string> = {
  transcript: "Transcript",
  cv: "CV",
  statement: "Statement of purpose",
  recommendation1: "Recommendation 1",
  recommendation2: "Recommendation 2",
  passport: "Passport",
};

/** A rejected one counts as missing until it is replaced. */
export const documentStates = ["uploaded", "approved", "rejected"] as const;
export type DocumentState = (typeof documentStates)[number];

/** What a document may be, recognised by its content and not by its name. */
export const documentTypes = ["application/pdf", "image/jpeg", "image/png"] as const;
export type DocumentType = (typeof documentTypes)[number];

/**
 * `total` bytes of all files of a student, those of earlier versions included, and as long as their address is not
 * verified; `earlier` versions that are kept of a slot. `bytes` of a file; `pixels` that an image's header may declare, in all and a `side`;
 * characters of `name` and `reason`.
 */
export const documentLimits = {
  bytes: 20 * 1024 * 1024,
  pixels: 50_000_000,
  side: 20_000,
  name: 255,
  reason: 500,
  total: 300 * 1024 * 1024,
  totalUnverified: 60 * 1024 * 1024,
  earlier: 2,
} as const;

const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`;

/** Why a file is not taken. */
export const uploadProblems = [
  "badName",
  "empty",
  "tooLarge",
  "unknownType",
  "noSize",
  "tooManyPixels",
  "cutOff",
  "noRoom",
  "noRoomUnverified",
] as const;
export type UploadProblem = (typeof uploadProblems)[number];

/** What the person reads beside the file, and the code that goes with it. */
export const uploadRefusal: Record<UploadProblem, { code: ErrorCode; message: string }> = {
  badName: {
    code: "invalid-argument",
    message: `This file name can't be used. Please rename the file: at most ${documentLimits.name} characters, no slashes or control characters.`,
  },
  empty: { code: "invalid-argument", message: "This file is empty." },
  tooLarge: {
    code: "out-of-range",
    message: `This file is too large. The limit is ${megabytes(documentLimits.bytes)}.`,
  },
  unknownType: { code: "invalid-argument", message: "This isn't a PDF, JPEG or PNG file." },
  noSize: {
    code: "invalid-argument",
    message: "We couldn't read this image. Try saving it again in another app.",
  },
  tooManyPixels: {
    code: "out-of-range",
    message: `This image is too large. The limit is ${documentLimits.pixels / 1_000_000} megapixels, and ${documentLimits.side.toLocaleString("en")} pixels per side.`,
  },
  cutOff: { code: "invalid-argument", message: "This file is incomplete. Please check it and try again." },
  noRoom: {
    code: "resource-exhausted",
    message: `There's no room for this file: your documents can take up ${megabytes(documentLimits.total)} in all, earlier versions included.`,
  },
  noRoomUnverified: {
    code: "resource-exhausted",
    message: `There's no room for this file: your documents can take up ${megabytes(documentLimits.totalUnverified)} in all until you verify your email address, and ${megabytes(documentLimits.total)} after that.`,
  },
};

/**
 * Parts of a path, control characters, line separators, and what turns the direction of writing around, so that
 * `cod.exe` can't show as `exe.doc`.
 */
const hostile = /[/\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** What can be told of a file before a byte of it is read; null when nothing is wrong so far. `size` in bytes. */
export function fileProblem({ name, size }: { name: string; size: number | null }): UploadProblem | null {
  if (name.length > documentLimits.name || /^[\s.]*$/.test(name) || hostile.test(name)) return "badName";
  if (size === 0) return "empty";
  return size !== null && size > documentLimits.bytes ? "tooLarge" : null;
}

/** What is wrong with a file by its first bytes, before all of it is sent. */
export function startProblem(start: Uint8Array): UploadProblem | null {
  const type = typeByStart(start);
  return documentTypes.some((each) => each === type) ? null : "unknownType";
}

/** Whether there is room for so many bytes more. `stored`: those of all the student's files that are kept. */
export function roomProblem(stored: number, more: number, isVerified: boolean): UploadProblem | null {
  const { total, totalUnverified } = documentLimits;
  if (stored + more <= (isVerified ? total : totalUnverified)) return null;
  return isVerified ? "noRoom" : "noRoomUnverified";
}

/** Whether an image may be that large; `width` and `height` in pixels. */
export function imageProblem(size: { width: number; height: number }): "noSize" | "tooManyPixels" | null {
  const { width, height } = size;
  if (width === 0 || height === 0) return "noSize";
  return width * height > documentLimits.pixels || Math.max(width, height) > documentLimits.side
    ? "tooManyPixels"
    : null;
}

const endings: Record<DocumentType, readonly [string, ...string[]]> = {
  "application/pdf": ["pdf"],
  "image/jpeg": ["jpg", "jpeg"],
  "image/png": ["png"],
};

/** The name a file is sent out with: its own, with the ending that its content has. */
export function downloadName(name: string, type: DocumentType): string {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  const own = endings[type];
  return ending !== undefined && own.includes(ending) ? name : `${name}.${own[0]}`;
}
