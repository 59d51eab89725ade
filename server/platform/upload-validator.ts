import { MediaError, type MediaProblem, type MediaType, type Size } from "./media-parsers.ts";
import { createSniffer } from "./sniff.ts";

/** The pieces of a request's body as they arrive; asked a second time, those that are left. */
export type Body = () => AsyncIterable<Uint8Array>;

/** Reasons to refuse an upload. */
type UploadProblem = MediaProblem | "empty" | "tooLarge" | "tooManyPixels";
/**
 * Rules for uploads: these types, at most so many bytes, pictures of a size in which `sizeProblem` finds nothing wrong.
 */
type UploadRules<Type extends MediaType> = {
  types: readonly Type[];
  bytes: number;
  sizeProblem: (size: Size) => UploadProblem | null;
};

/** A refused file, and the reason. */
class Refused extends Error {
  readonly problem: UploadProblem;
  constructor(problem: UploadProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** Yields the browser's bytes. When the browser breaks off, that is the file's problem and not ours. */
async function* sentBy(body: Body): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body()) yield piece;
  } catch {
    throw new Refused("cutOff");
  }
}

/**
 * Checks an upload as it streams through: its length, and its type by the content. `size`: bytes that the browser
 * announced, null where it did not; they are not trusted.
 */
export function createUploadValidator<Type extends MediaType>(
  { types, bytes: most, sizeProblem }: UploadRules<Type>,
  size: number | null,
) {
  let bytes = 0;
  let type: Type | null = null;
  let problem: UploadProblem | null = null;
  const sniffer = createSniffer(types, (image) => {
    const wrong = sizeProblem(image);
    if (wrong) throw new Refused(wrong);
  });

  function check(piece: Uint8Array) {
    bytes += piece.length;
    if (bytes > most) throw new Refused("tooLarge");
    sniffer.push(piece);
  }

  function finish() {
    if (bytes === 0) throw new Refused("empty");
    if (size !== null && size !== bytes) throw new Refused("cutOff");
    type = sniffer.end();
  }

  return {
    /** Yields the same bytes; throws as soon as something is wrong with them. */
    async *through(body: Body): AsyncGenerator<Uint8Array> {
      try {
        for await (const piece of sentBy(body)) {
          check(piece);
          yield piece;
        }
        finish();
      } catch (error) {
        if (error instanceof Refused || error instanceof MediaError) problem = error.problem;
        throw error;
      }
    },
    /** Returns why the file is refused; null as long as nothing is wrong with it. */
    problem: () => problem,
    /** Returns the length and the type of the file, once all of it has come in. */
    result: () => (type === null ? null : { bytes, type }),
    /**
     * Reads and discards what is still on its way, up to the limit of a file: browsers read the answer only
     * after they have sent everything.
     */
    async discard(body: Body): Promise<void> {
      try {
        for await (const piece of body()) {
          bytes += piece.length;
          if (bytes > most) return;
        }
      } catch {
        // The browser broke off: there is nobody to answer.
      }
    },
  };
}
