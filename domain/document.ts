import type { ErrorCode } from "#domain/error-catalogue.ts";

/** A student's six document slots (spec 3). */
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

/** A rejected one counts as missing until it is replaced (product decisions, "Review"). */
export const documentStates = ["uploaded", "approved", "rejected"] as const;
export type DocumentState = (typeof documentStates)[number];

/** What a document may be, recognised by its content and not by its name (product decisions, "Documents"). */
export const documentTypes = ["application/pdf", "image/jpeg", "image/png"] as const;
export type DocumentType = (typeof documentTypes)[number];

/** `bytes` of a file, `pixels` that an image's header may declare, characters of `name` and `reason`. */
export const documentLimits = {
  bytes: 20 * 1024 * 1024,
  pixels: 50_000_000,
  name: 255,
  reason: 500,
} as const;

/** Why a file is not taken. */
export const uploadProblems = [
  "badName",
  "empty",
  "tooLarge",
  "unknownType",
  "noSize",
  "tooManyPixels",
  "cutOff",
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
    message: `This file is too large. The limit is ${documentLimits.bytes / 1024 / 1024} MB.`,
  },
  unknownType: { code: "invalid-argument", message: "This is not a PDF, JPEG or PNG file." },
  noSize: { code: "invalid-argument", message: "This image is damaged: it does not tell its size." },
  tooManyPixels: {
    code: "out-of-range",
    message: `This image is too large. The limit is ${documentLimits.pixels / 1_000_000} megapixels.`,
  },
  cutOff: { code: "invalid-argument", message: "This file is cut off. Please check it and try again." },
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

/** Whether an image may be that large; `width` and `height` in pixels. */
export function imageProblem(size: { width: number; height: number }): "noSize" | "tooManyPixels" | null {
  const { width, height } = size;
  if (width === 0 || height === 0) return "noSize";
  return width * height > documentLimits.pixels ? "tooManyPixels" : null;
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
