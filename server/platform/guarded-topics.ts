import type { RefusedCode } from "#protocol/live-topic.ts";

/**
 * The decision on a topic: the owner of its record, whose changes of rights cause a new check, or the code of a
 * refusal.
 */
export type Right = { owner: string } | { code: RefusedCode };

/** Topics of a stream that need a right, and the check of the viewer's rights to them. */
export type Guard = {
  topics: readonly string[];
  /** A topic that is missing in the result is refused as not found. */
  check(topics: readonly string[]): Promise<ReadonlyMap<string, Right>>;
};

/** The stream's answers to the checks. */
type Answers = {
  granted(topic: string): void;
  takenBack(topic: string): void;
  refused(topic: string, code: RefusedCode): void;
  /** Called when a check failed. */
  failed(topics: readonly string[]): void;
};

/**
 * The guarded topics of one stream. One check at a time covers all topics that are due. When the rights to an owner's
 * topics may have changed, they are revoked immediately, and granted again after a new check.
 */
export class GuardedTopics {
  readonly #check: Guard["check"];
  readonly #answers: Answers;
  readonly #due: Set<string>;
  /** The topics that are granted, by owner. */
  readonly #granted = new Map<string, Set<string>>();
  /** Owners whose topics' rights changed during the running check; null while none runs. */
  #changed: Set<string> | null = null;
  #hasEnded = false;

  constructor({ topics, check }: Guard, answers: Answers) {
    this.#check = check;
    this.#answers = answers;
    this.#due = new Set(topics);
  }

  rightsChanged(owner: string): void {
    this.#changed?.add(owner);
    const topics = this.#granted.get(owner);
    if (!topics) return;
    this.#granted.delete(owner);
    for (const topic of topics) {
      this.#answers.takenBack(topic);
      this.#due.add(topic);
    }
    void this.run();
  }

  end(): void {
    this.#hasEnded = true;
  }

  /** Checks the topics that are due. A running check continues with them. */
  async run(): Promise<void> {
    if (this.#changed !== null) return;
    while (this.#due.size > 0 && !this.#hasEnded) await this.#checkDue();
  }

  async #checkDue(): Promise<void> {
    const topics = [...this.#due];
    const changed = (this.#changed = new Set<string>());
    this.#due.clear();
    const rights = await this.#check(topics).catch(() => null);
    this.#changed = null;
    if (this.#hasEnded) return;
    if (rights === null) return this.#answers.failed(topics);
    for (const topic of topics) this.#decide(topic, rights.get(topic) ?? { code: "not-found" }, changed);
  }

  #decide(topic: string, right: Right, changed: ReadonlySet<string>): void {
    if ("code" in right) return this.#answers.refused(topic, right.code);
    const { owner } = right;
    // The check may have read the state before the change.
    if (changed.has(owner)) return void this.#due.add(topic);
    this.#granted.set(owner, (this.#granted.get(owner) ?? new Set()).add(topic));
    this.#answers.granted(topic);
  }
}
