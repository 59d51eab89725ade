/** Milliseconds between two proofs that events still arrive. */
export const heartbeat = 400;
/** Milliseconds for which one proof lets a node believe what it has cached. */
const trustFor = 1000;

/** An open connection that hands over events in the order in which they were sent. */
export type EventLink = {
  /** Resolves when every event that was sent before has been handed over. */
  prove(): Promise<unknown>;
  /** Ends it at once, also where nothing is answered any more. */
  end(): Promise<void>;
};

type Options<Link> = {
  /** Opens it; `ended` is to be called once it has ended, whoever ended it. */
  open(ended: (error?: unknown) => void): Promise<Link>;
  /** Milliseconds after which a connection that proves nothing is given up. */
  giveUpAfter: number;
  onOpen(): void;
  onLost(error?: unknown): void;
};

/** Keeps a connection for events open: proves again and again that they arrive, and opens another when it is lost. */
export class EventConnection<Link extends EventLink> {
  readonly #options: Options<Link>;
  #link: Link | null = null;
  #trustedUntil = 0;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Options<Link>) {
    this.#options = options;
  }

  get link(): Link | null {
    return this.#link;
  }

  /** Whether every event older than a second has certainly arrived. */
  isTrusted(): boolean {
    return performance.now() < this.#trustedUntil;
  }

  /** The first time; rejects if it can't be opened. */
  async open(): Promise<void> {
    const opened: { link?: Link } = {};
    const link = await this.#options.open((error) => this.#lost(opened.link, error));
    opened.link = link;
    if (this.#stopped) return await link.end();
    this.#link = link;
    this.#options.onOpen();
    this.#beat(link);
  }

  /** Opens it as soon as that is possible. */
  keepTrying(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.open().catch(() => this.keepTrying()), heartbeat);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#link?.end();
  }

  #lost(link: Link | undefined, error: unknown): void {
    if (link === undefined || this.#link !== link) return;
    this.#link = null;
    this.#trustedUntil = 0;
    clearTimeout(this.#timer);
    this.#options.onLost(error);
    this.keepTrying();
  }

  #beat(link: Link): void {
    const asked = performance.now();
    const giveUp = setTimeout(() => void link.end(), this.#options.giveUpAfter);
    link.prove().then(
      () => {
        clearTimeout(giveUp);
        if (this.#link !== link) return;
        this.#trustedUntil = asked + trustFor;
        this.#timer = setTimeout(() => this.#beat(link), heartbeat);
      },
      () => clearTimeout(giveUp),
    );
  }
}
