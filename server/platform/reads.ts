import { setTimeout } from "node:timers/promises";
import type { Database } from "./database.ts";
import { isDatabaseFailure } from "./database-failure.ts";
import { errorCode } from "./error-code.ts";
import type { Log } from "./log.ts";

/** Where a list or a search is read. */
export type ReadPools = Pick<Database, "pool" | "searchPool">;

/** Milliseconds that what a replica shows may be old; one that is further behind is not asked. */
const mostStale = 2_000;
/** Milliseconds between two looks at how far it is, and for one of them. */
const lookEvery = 500;
const lookFor = 1_000;
/** Positions of the primary that a replica has not reached yet: older ones would be too old anyway. */
const mostPositions = 8;

/** How far the primary's log is, and which log it is: of which cluster, after how many promotions. */
const primaryPosition = `
  select pg_current_wal_lsn()::text as lsn, system_identifier::text as system, timeline_id::text as timeline
  from pg_control_system(), pg_control_checkpoint()`;

/**
 * The latest of the primary's positions that the replica shows. What is no standby counts only as long as it is the
 * primary itself: one that was cut off goes on with a log of its own.
 */
const reachedPosition = `
  select at from unnest($1::pg_lsn[], $2::float8[]) as position(lsn, at), pg_control_system(), pg_control_checkpoint()
  where system_identifier::text = $3 and case when pg_is_in_recovery() then lsn <= pg_last_wal_replay_lsn()
    else timeline_id::text = $4 and lsn <= pg_current_wal_lsn() end
  order by at desc limit 1`;

type Position = { lsn: string; system: string; timeline: string };

/**
 * Reads of what may be a moment old: from the replica, as long as it shows everything that was acknowledged up to two
 * seconds ago, and otherwise from the primary. Never for what a decision depends on, nor for what somebody has just
 * written themselves.
 */
export class Reads {
  readonly #primary: Database;
  readonly #replica: Database | null;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  readonly #positions: { lsn: string; at: number }[] = [];
  readonly #looking: Promise<void>;
  /** When all was acknowledged that the replica shows, by this process's steady clock. */
  #reachedAt = Number.NEGATIVE_INFINITY;
  #wasUsed = true;

  constructor({ primary, replica, log }: { primary: Database; replica: Database | null; log: Log }) {
    this.#primary = primary;
    this.#replica = replica;
    this.#log = log;
    this.#looking = replica ? this.#keepLooking(replica) : Promise.resolve();
  }

  /** Null where there is no replica; otherwise in milliseconds how old what it shows may be, and whether it is used. */
  replica(): { staleness: number; isUsed: boolean } | null {
    if (this.#replica === null) return null;
    const staleness = performance.now() - this.#reachedAt;
    return { staleness, isUsed: staleness <= mostStale };
  }

  /** May run the work twice: when the replica fails in the middle, the primary is asked. */
  async run<Found>(work: (from: ReadPools) => Promise<Found>): Promise<Found> {
    if (this.#replica === null || this.replica()?.isUsed !== true) return await work(this.#primary);
    try {
      return await work(this.#replica);
    } catch (error) {
      // What a standby replays goes before what is read there.
      const isConflict = errorCode(error) === "40001";
      if (!isConflict && !isDatabaseFailure(error)) throw error;
      if (!isConflict) this.#reachedAt = Number.NEGATIVE_INFINITY;
      return await work(this.#primary);
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking;
    await this.#replica?.close();
  }

  async #keepLooking(replica: Database): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const inTime = await Promise.race([
        this.#look(replica).then(
          () => true,
          () => true,
        ),
        setTimeout(lookFor, false, { ref: false }),
      ]);
      // Who waits for it is served by the primary instead.
      if (!inTime) replica.sockets.cut("the replica does not answer");
      this.#say();
      await setTimeout(lookEvery, undefined, { signal }).catch(() => {});
    }
  }

  async #look(replica: Database): Promise<void> {
    const at = performance.now();
    const { rows } = await this.#primary.pool.query<Position>({
      name: "primary_position",
      text: primaryPosition,
    });
    const [now] = rows;
    if (!now) return;
    this.#positions.push({ lsn: now.lsn, at });
    if (this.#positions.length > mostPositions) this.#positions.shift();
    const { rows: reached } = await replica.pool.query<{ at: number }>({
      name: "reached_position",
      text: reachedPosition,
      values: [
        this.#positions.map(({ lsn }) => lsn),
        this.#positions.map((each) => each.at),
        now.system,
        now.timeline,
      ],
    });
    if (reached[0]) this.#reachedAt = reached[0].at;
  }

  #say(): void {
    const isUsed = this.replica()?.isUsed === true;
    if (isUsed === this.#wasUsed) return;
    this.#wasUsed = isUsed;
    if (isUsed) this.#log.info("lists are read from the replica again");
    else this.#log.warn("the replica is too far behind or away: lists are read from the primary");
  }
}
