import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Pixels from the end within which a thread counts as scrolled to its end. */
const nearEnd = 48;
/** Pixels of earlier content that stay in view above a new message. */
const above = 48;

type MessageRange = { first: number; last: number };

/** The scroll position of a thread, which is kept while messages are added above and below. */
class ThreadPosition {
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

  /** Records the position after a scroll. A change of height also scrolls, and is left to `resized`. */
  scrolled(): void {
    const { scrollHeight, clientHeight } = this.#box;
    if (scrollHeight === this.#heights.all && clientHeight === this.#heights.inView) this.#note();
  }

  /** Follows a change of height, as when the field below the thread grows with its text. */
  resized(): void {
    if (this.#isAtEnd) this.#box.scrollTop = this.#box.scrollHeight;
    this.#note();
  }

  goToEnd(): void {
    this.#box.scrollTop = this.#box.scrollHeight;
    this.#note();
  }

  /** Scrolls to a message, so that the following ones are visible too. */
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
  /** The message to start at; null starts at the end. */
  begin: number | null;
  /** Whether the last message is the viewer's own. */
  isLastMine: boolean;
};

/**
 * Scrolls the element around a thread's messages: it starts at the first unread message, follows new ones while its end
 * is in view, and otherwise stays where it is. `newBelow` is the first new message below the visible part.
 */
export function useThreadScroll({ first, last, begin, isLastMine }: ScrollOptions) {
  const box = useRef<HTMLElement>(null);
  const position = useRef<ThreadPosition>(null);
  const lastShown = useRef<MessageRange>(null);
  const [newBelow, setNewBelow] = useState<number | null>(null);

  const onScroll = useCallback(() => {
    position.current?.scrolled();
    if (position.current?.isAtEnd) setNewBelow(null);
  }, []);

  useLayoutEffect(() => {
    if (!box.current) return;
    const before = lastShown.current;
    lastShown.current = { first, last };
    position.current ??= new ThreadPosition(box.current);
    const now = position.current;
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
    const sizes = new ResizeObserver(() => position.current?.resized());
    sizes.observe(box.current);
    sizes.observe(content);
    return () => sizes.disconnect();
  }, []);

  const goToNew = () => {
    if (newBelow !== null) position.current?.goTo(newBelow);
    setNewBelow(null);
  };
  return { box, onScroll, newBelow, goToNew };
}
