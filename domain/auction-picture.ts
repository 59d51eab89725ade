import { type FileProblem, type FileRefusal, fileRules } from "#domain/file-rules.ts";

/** Types of pictures of products, recognised by their content. */
export const pictureTypes = ["image/jpeg", "image/png", "image/webp"] as const;

const rules = fileRules({
  types: pictureTypes,
  accepted: "JPEG, PNG or WebP",
  bytes: 10 * 1024 * 1024,
  noun: "picture",
  image: "picture",
});
export const {
  limits: pictureLimits,
  sizeProblem: pictureFileProblem,
  startProblem: pictureStartProblem,
  imageProblem: pictureSizeProblem,
} = rules;

/** Reasons to refuse a picture. `damaged`: its decoder warned of gaps. */
export type PictureProblem = FileProblem | "damaged";
export const pictureRefusal: Record<PictureProblem, FileRefusal> = {
  ...rules.refusal,
  damaged: rules.refusal.noSize,
};

/** Shown while too many pictures wait to be processed. */
export const crowdedPictures = "We're working on a lot of pictures right now. Please try again in a moment.";
