/** Milliseconds for which a message's end must be in view before the message counts as read. */
const readAfter = 1_000;
/** Milliseconds between two reports of a thread that stays open, while nothing more is read. */
const presence = 120_000;

/**
 * Detects which messages of a thread have been read: those whose last line was in view, in a visible tab, for a second
 * without a break. `report` receives the highest number that was read, one call at a time: when it has grown, and every
 * two minutes while the tab is visible.
 */
export class ReadingWatch {
  readonly #report: (readUpTo: number) => Promise<void>;
  readonly #numbers = new Map<Element, number>();
  readonly #inView = new Set<Element>();
  readonly #timers = new Map<Element, ReturnType<typeof setTimeout>>();
  #observer: IntersectionObserver | null = null;
  #presence: ReturnType<typeof setInterval> | undefined;
  #readUpTo: number;
  #reported: number;
  #isReporting = false;

  constructor(readUpTo: number, report: (readUpTo: number) => Promise<void>) {
    this.#readUpTo = readUpTo;
    this.#reported = readUpTo;
    this.#report = report;
  }

  start(): void {
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) this.#inView.add(target);
        else this.#inView.delete(target);
      }
      this.#updateTimers();
    });
    for (const line of this.#numbers.keys()) observer.observe(line);
    this.#observer = observer;
    document.addEventListener("visibilitychange", this.#updateTimers);
    this.#presence = setInterval(() => {
      if (document.visibilityState === "visible" && !this.#isReporting) void this.#sendReport();
    }, presence);
  }

  /** Watches the last line of a message until the returned function is called. */
  watch(line: Element, number: number): () => void {
    this.#numbers.set(line, number);
    this.#observer?.observe(line);
    return () => {
      this.#observer?.unobserve(line);
      this.#numbers.delete(line);
      this.#inView.delete(line);
      this.#updateTimers();
    };
  }

  stop(): void {
    this.#observer?.disconnect();
    this.#observer = null;
    clearInterval(this.#presence);
    document.removeEventListener("visibilitychange", this.#updateTimers);
    this.#inView.clear();
    this.#updateTimers();
  }

  /** Starts a timer for each visible line, and clears those of all others. */
  readonly #updateTimers = (): void => {
    const lines = document.visibilityState === "visible" ? this.#inView : new Set<Element>();
    for (const [line, timer] of this.#timers) {
      if (lines.has(line)) continue;
      clearTimeout(timer);
      this.#timers.delete(line);
    }
    for (const line of lines) {
      const number = this.#numbers.get(line) ?? 0;
      if (number <= this.#readUpTo || this.#timers.has(line)) continue;
      this.#timers.set(
        line,
        setTimeout(() => this.#read(line, number), readAfter),
      );
    }
  };

  #read(line: Element, number: number): void {
    this.#timers.delete(line);
    this.#readUpTo = Math.max(this.#readUpTo, number);
    if (!this.#isReporting && this.#readUpTo > this.#reported) void this.#sendReport();
  }

  /** Reports again if more was read meanwhile: the lines in view become due one after the other. */
  async #sendReport(): Promise<void> {
    this.#isReporting = true;
    do {
      this.#reported = this.#readUpTo;
      await this.#report(this.#reported);
    } while (this.#readUpTo > this.#reported);
    this.#isReporting = false;
  }
}
