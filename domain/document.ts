import { type FileRefusal, fileProblems, fileRules, megabytes } from "#domain/file-rules.ts";
import { keysOf } from "#domain/keys-of.ts";

/** Labels of a student's six document slots. */
export const documentLabel = {
  transcript: "Transcript",
  cv: "CV",
  statement: "Statement of purpose",
  recommendation1: "Recommendation 1",
  recommendation2: "Recommendation 2",
  passport: "Passport",
};
export type DocumentKind = keyof typeof documentLabel;
export const documentKinds = keysOf(documentLabel);

/** States of a document. A rejected one counts as missing until it is replaced. */
export const documentStates = ["uploaded", "approved", "rejected"] as const;
export type DocumentState = (typeof documentStates)[number];

/** Types of documents, recognised by their content and not by their name. */
export const documentTypes = ["application/pdf", "image/jpeg", "image/png"] as const;
export type DocumentType = (typeof documentTypes)[number];

const rules = fileRules({
  types: documentTypes,
  accepted: "PDF, JPEG or PNG",
  bytes: 20 * 1024 * 1024,
  noun: "file",
  image: "image",
  advice: "Save it as PDF and try again.",
});
export const { startProblem, imageProblem } = rules;

/**
 * `total`: bytes of all files of a student, including earlier versions, and `totalUnverified` until their address is
 * verified; `earlier`: versions that are kept of a slot; characters of `name` and `reason`.
 */
export const documentLimits = {
  ...rules.limits,
  name: 255,
  reason: 500,
  total: 300 * 1024 * 1024,
  totalUnverified: 60 * 1024 * 1024,
  earlier: 2,
} as const;

/** Reasons to refuse a document. */
export const uploadProblems = ["badName", ...fileProblems, "noRoom", "noRoomUnverified"] as const;
export type UploadProblem = (typeof uploadProblems)[number];

export const uploadRefusal: Record<UploadProblem, FileRefusal> = {
  ...rules.refusal,
  badName: {
    code: "invalid-argument",
    message: `This file name can't be used. Please rename the file: at most ${documentLimits.name} characters, no slashes or control characters.`,
  },
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
 * Path separators, control characters, line separators, and characters that change the direction of text, which could
 * make `cod.exe` look like `exe.doc`.
 */
const hostile = /[/\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Returns what is wrong with a file before it is read, or null. `size` is in bytes, or null if it isn't known. */
export function fileProblem({ name, size }: { name: string; size: number | null }): UploadProblem | null {
  if (name.length > documentLimits.name || /^[\s.]*$/.test(name) || hostile.test(name)) return "badName";
  return rules.sizeProblem(size);
}

/** Checks that there is room for `more` bytes. `usage`: bytes of the student's stored files. */
export function storageProblem(usage: number, more: number, isVerified: boolean): UploadProblem | null {
  const { total, totalUnverified } = documentLimits;
  if (usage + more <= (isVerified ? total : totalUnverified)) return null;
  return isVerified ? "noRoom" : "noRoomUnverified";
}

const extensions: Record<DocumentType, readonly [string, ...string[]]> = {
  "application/pdf": ["pdf"],
  "image/jpeg": ["jpg", "jpeg"],
  "image/png": ["png"],
};

/** Returns the name of a downloaded file: its own, with the extension of its content. */
export function downloadName(name: string, type: DocumentType): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  const own = extensions[type];
  return extension !== undefined && own.includes(extension) ? name : `${name}.${own[0]}`;
}
