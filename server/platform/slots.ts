/** Lets so many go on at a time: of an account, and on this node. */
export class Slots {
  readonly #most: { account: number; node: number };
  readonly #taken: string[] = [];

  constructor(most: { account: number; node: number }) {
    this.#most = most;
  }

  /** The function that gives the slot back; null where none is free. */
  take(userId: string): (() => void) | null {
    const ofAccount = this.#taken.filter((each) => each === userId).length;
    if (this.#taken.length >= this.#most.node || ofAccount >= this.#most.account) return null;
    this.#taken.push(userId);
    return () => void this.#taken.splice(this.#taken.indexOf(userId), 1);
  }
}
