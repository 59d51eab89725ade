import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Pixels from the end within which a thread counts as scrolled to its end. */
const nearEnd = 48;
/** Pixels of what was there before that stay in view above a new message. */
const above = 48;

type MessageRange = { first: number; last: number };

/** The place of whoever reads a thread: it stays while messages come above and below. */
class ThreadPlace {
  readonly #box: HTMLElement;
  /** The heights of the whole thread and of the part in view. */
  #heights: { all: number; inView: number };
  #isAtEnd = true;

  constructor(box: HTMLElement) {
    this.#box = box;
    this.#heights = { all: box.scrollHeight, inView: box.clientHeight };
  }

  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  /** Takes note of where somebody has scrolled to. A change of height also scrolls, and is left to `resized`. */
  scrolled(): void {
    const { scrollHeight, clientHeight } = this.#box;
    if (scrollHeight === this.#heights.all && clientHeight === this.#heights.inView) this.#note();
  }

  /** Follows a change of a height, as when the field below the thread grows with its text. */
  resized(): void {
    if (this.#isAtEnd) this.#box.scrollTop = this.#box.scrollHeight;
    this.#note();
  }

  goToEnd(): void {
    this.#box.scrollTop = this.#box.scrollHeight;
    this.#note();
  }

  /** Shows a message, and as much as fits of what follows. */
  goTo(number: number): void {
    const message = this.#box.querySelector<HTMLElement>(`[data-number="${number}"]`);
    if (message) this.#box.scrollTop = message.offsetTop - above;
    this.#note();
  }

  /** Keeps the messages in view where they are, after others were added above them. */
  grownAbove(): void {
    this.#box.scrollTop += this.#box.scrollHeight - this.#heights.all;
    this.#note();
  }

  #note(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.#box;
    this.#heights = { all: scrollHeight, inView: clientHeight };
    this.#isAtEnd = scrollHeight - scrollTop - clientHeight <= nearEnd;
  }
}

type ScrollOptions = MessageRange & {
  /** The message to begin at; null begins at the end. */
  begin: number | null;
  /** Whether the last message is the viewer's own. */
  isLastMine: boolean;
};

/**
 * Scrolls a thread, for the element around its messages: it begins at the first unread message, follows new ones while
 * its end is in view, and otherwise stays where it is. `newBelow` is the first new message below what is in view.
 */
export function useThreadScroll({ first, last, begin, isLastMine }: ScrollOptions) {
  const box = useRef<HTMLElement>(null);
  const place = useRef<ThreadPlace>(null);
  const lastShown = useRef<MessageRange>(null);
  const [newBelow, setNewBelow] = useState<number | null>(null);

  const onScroll = useCallback(() => {
    place.current?.scrolled();
    if (place.current?.isAtEnd) setNewBelow(null);
  }, []);

  useLayoutEffect(() => {
    if (!box.current) return;
    const before = lastShown.current;
    lastShown.current = { first, last };
    place.current ??= new ThreadPlace(box.current);
    const now = place.current;
    if (before === null) {
      if (begin === null) now.goToEnd();
      else now.goTo(begin);
      return;
    }
    if (first < before.first) now.grownAbove();
    if (last <= before.last) return;
    if (isLastMine) now.goToEnd();
    else if (now.isAtEnd) now.goTo(before.last + 1);
    else setNewBelow((number) => number ?? before.last + 1);
  }, [first, last, begin, isLastMine]);

  useEffect(() => {
    const content = box.current?.firstElementChild;
    if (!box.current || !content) return;
    const sizes = new ResizeObserver(() => place.current?.resized());
    sizes.observe(box.current);
    sizes.observe(content);
    return () => sizes.disconnect();
  }, []);

  const goToNew = () => {
    if (newBelow !== null) place.current?.goTo(newBelow);
    setNewBelow(null);
  };
  return { box, onScroll, newBelow, goToNew };
}
