import type { ErrorCode } from "#domain/error-catalogue.ts";

/** Types of files that Wayfare accepts, recognised by their first bytes. */
export type FileType = "application/pdf" | "image/jpeg" | "image/png" | "image/webp";

/** Bytes that are needed to sniff the type. */
export const startLength = 12;

const latin = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** Returns the type that a file seems to have by its first bytes, or null. The server checks the whole file. */
export function typeByStart(start: Uint8Array): FileType | null {
  const text = latin(start.subarray(0, startLength));
  if (text.startsWith("%PDF-")) return "application/pdf";
  if (text.startsWith("\u00ff\u00d8")) return "image/jpeg";
  if (text.startsWith("\u0089PNG\r\n\u001a\n")) return "image/png";
  return text.startsWith("RIFF") && text.endsWith("WEBP") ? "image/webp" : null;
}

/** Whether a file is a photo from an iPhone, by the brand of its container. */
const isHeic = (start: Uint8Array): boolean => /^.{4}ftyp(hei|hev|mif1|msf1)/s.test(latin(start));

/** Returns a refusal's message with the file's name, for a form where several files were chosen. */
export const withFileName = (message: string, name: string): string =>
  /^This\b/.test(message) ? message.replace(/^This( file| picture)?\b/, () => name) : `${name}: ${message}`;

/**
 * Limits of every image by its header: `pixels` in all, and pixels of a `side`, since some decoders allocate memory by
 * the row.
 */
const imageLimits = { pixels: 50_000_000, side: 20_000 } as const;

/** Reasons to refuse a file of any kind. */
export const fileProblems = [
  "empty",
  "tooLarge",
  "unknownType",
  "heic",
  "noSize",
  "tooManyPixels",
  "cutOff",
  "infected",
] as const;
export type FileProblem = (typeof fileProblems)[number];
/** Shown for a file that could not be scanned for viruses. */
export const unscanned = "We can't check files for viruses right now. Please try again in a minute.";

/** Shown for any file while the store has hardly any space left. */
export const fullStore = "We can't take any files right now. Please try again later.";
/** Bytes that accounts without a verified address may upload in a day, in total for each network address. */
export const unverifiedUploads = 500 * 1024 * 1024;
export const crowdedAddress =
  "A lot was uploaded from your network today. Please verify your email address to upload more, or try again tomorrow.";

/** The message that is shown beside the file, and its code. */
export type FileRefusal = { code: ErrorCode; message: string };

export const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;

type Uploads = {
  types: readonly FileType[];
  /** The types in words. */
  accepted: string;
  bytes: number;
  /** Words for such a file, and for an image among them. */
  noun: string;
  image: string;
  /** Advice for a file of another type. */
  advice?: string;
};

/** Returns the rules for one kind of upload. Sizes are in bytes, `width` and `height` in pixels; null: no problem. */
export function fileRules({ types, accepted, bytes, noun, image, advice = "" }: Uploads) {
  const limits = { bytes, ...imageLimits };
  const refusal: Record<FileProblem, FileRefusal> = {
    empty: { code: "invalid-argument", message: "This file is empty." },
    tooLarge: {
      code: "out-of-range",
      message: `This ${noun} is too large. The limit is ${megabytes(bytes)}.`,
    },
    unknownType: {
      code: "invalid-argument",
      message: `This isn't a ${accepted} ${noun}. ${advice}`.trim(),
    },
    heic: {
      code: "invalid-argument",
      message: `iPhone HEIC photos aren't supported. Save it as JPEG, or choose Settings › Camera › Formats › Most Compatible.`,
    },
    noSize: {
      code: "invalid-argument",
      message: `We couldn't read this ${image}. Try saving it again in another app.`,
    },
    tooManyPixels: {
      code: "out-of-range",
      message: `This ${image} is too large. The limit is ${limits.pixels / 1_000_000} megapixels, and ${limits.side.toLocaleString("en")} pixels per side.`,
    },
    infected: {
      code: "invalid-argument",
      message: `We found a virus in this ${noun} and haven't kept it. Please check your device for viruses.`,
    },
    cutOff: { code: "invalid-argument", message: "This file is incomplete. Please check it and try again." },
  };
  return {
    limits,
    refusal,
    /** Checks the size before the file is read; null if it isn't known yet. */
    sizeProblem(size: number | null): FileProblem | null {
      if (size === 0) return "empty";
      return size !== null && size > bytes ? "tooLarge" : null;
    },
    /** Checks a file by its first bytes, before all of it is sent. */
    startProblem(start: Uint8Array): FileProblem | null {
      const type = typeByStart(start);
      if (type !== null && types.includes(type)) return null;
      return isHeic(start) ? "heic" : "unknownType";
    },
    /** Checks the dimensions of an image. */
    imageProblem({ width, height }: { width: number; height: number }): "noSize" | "tooManyPixels" | null {
      if (width === 0 || height === 0) return "noSize";
      return width * height > limits.pixels || Math.max(width, height) > limits.side ? "tooManyPixels" : null;
    },
  };
}
