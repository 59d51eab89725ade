import type { AuditAction } from "#domain/audit.ts";
import type { AuditDetail } from "#domain/audit-detail.ts";
import type { Database, Reader } from "#server/platform/database.ts";
import type { Log } from "#server/platform/log.ts";
import { recordAudit } from "./commands.ts";

/** Milliseconds for which refusals of the same kind are gathered into one row or line. */
const gathering = 60_000;
/** Most ids in one row, and most kinds of refusals that are gathered at a time. */
const limits = { things: 20, kinds: 10_000 };

type Refusal = {
  action: Extract<AuditAction, "access-refused" | "sign-in-locked">;
  /** The user who was refused; null for a visitor. */
  actorId: string | null;
  address: string;
  procedure: string;
  /** The account that the request was about, if known. */
  subjectId: string | null;
  /** Ids of the things that were requested: students, documents, applications … */
  things: readonly string[];
};
type RefusalGroup = Refusal & { count: number };

const keyOf = ({ action, actorId, address, procedure }: Refusal) =>
  `${action} ${actorId ?? address} ${procedure}`;

/**
 * Records refusals for later investigation. The first of a kind is written immediately, those of each following minute
 * as one row or line with their number, so that a flood doesn't swell the audit log or the server's log.
 */
export class Refusals {
  readonly #db: Reader;
  readonly #log: Log;
  readonly #gathered = new Map<string, RefusalGroup>();
  readonly #counted = new Map<string, number>();
  readonly #timer = setInterval(() => void this.flush(), gathering).unref();

  constructor({ database, log }: { database: Pick<Database, "db">; log: Log }) {
    this.#db = database.db;
    this.#log = log;
  }

  /** Records a refusal in the audit log. Never fails: the answer is a refusal anyway. */
  async record(refusal: Refusal): Promise<void> {
    const key = keyOf(refusal);
    const group = this.#gathered.get(key);
    if (group) {
      group.count++;
      group.things = [...new Set([...group.things, ...refusal.things])].slice(0, limits.things);
      if (group.subjectId !== refusal.subjectId) group.subjectId = null;
      return;
    }
    if (this.#gathered.size >= limits.kinds) return this.warn("refusals of too many kinds to record each");
    this.#gathered.set(key, { ...refusal, count: 0, things: [] });
    await this.#write({ ...refusal, count: 1 });
  }

  /** Writes refusals that name no account into the server's log. */
  warn(message: string): void {
    const count = this.#counted.get(message);
    if (count === undefined) this.#log.warn({ count: 1 }, message);
    this.#counted.set(message, count === undefined ? 0 : count + 1);
  }

  /** Writes the gathered refusals. A kind that did not happen again meanwhile counts as new the next time. */
  async flush(): Promise<void> {
    for (const [message, count] of this.#counted) {
      if (count === 0) this.#counted.delete(message);
      else this.#counted.set(message, 0);
      if (count > 0) this.#log.warn({ count }, message);
    }
    const again: RefusalGroup[] = [];
    for (const [key, refusal] of this.#gathered) {
      if (refusal.count === 0) this.#gathered.delete(key);
      else {
        this.#gathered.set(key, { ...refusal, count: 0, things: [] });
        again.push(refusal);
      }
    }
    await Promise.all(again.map((refusal) => this.#write(refusal)));
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  async #write({ procedure, things, count, ...entry }: RefusalGroup): Promise<void> {
    const detail: AuditDetail = { procedure, count: String(count), things: things.join(" ") };
    try {
      await recordAudit(this.#db, { ...entry, detail });
    } catch (error) {
      this.#log.error({ err: error }, "a refusal could not be recorded");
    }
  }
}
