import { setTimeout } from "node:timers/promises";
import type { Database } from "./database.ts";
import { errorCode, isDatabaseFailure } from "./error-code.ts";
import type { Log } from "./log.ts";

/** Pools from which lists and searches are read. */
export type ReadPools = Pick<Database, "pool" | "searchPool">;

/** Milliseconds; a replica that is further behind is not used. */
const maxStaleness = 2_000;
/** Milliseconds between two probes of the replica's position, and for each probe. */
const probeInterval = 500;
const probeTimeout = 1_000;
/** Positions of the primary to keep. A replica that has reached none of them is too far behind anyway. */
const maxPositions = 8;

/** The primary's position in its log, its cluster and its timeline. */
const primaryPosition = `
  select pg_current_wal_lsn()::text as lsn, system_identifier::text as system, timeline_id::text as timeline
  from pg_control_system(), pg_control_checkpoint()`;

/**
 * The latest of the primary's positions that the replica has replayed. A server that isn't a standby counts only if it
 * is the primary itself: a standby that was promoted has its own timeline.
 */
const reachedPosition = `
  select at from unnest($1::pg_lsn[], $2::float8[]) as position(lsn, at), pg_control_system(), pg_control_checkpoint()
  where system_identifier::text = $3 and case when pg_is_in_recovery() then lsn <= pg_last_wal_replay_lsn()
    else timeline_id::text = $4 and lsn <= pg_current_wal_lsn() end
  order by at desc limit 1`;

type Position = { lsn: string; system: string; timeline: string };

/**
 * Runs reads that may be slightly stale: on the replica while it is at most two seconds behind, otherwise on the
 * primary. Decisions never depend on them, and callers may not see their own latest writes.
 */
export class Reads {
  readonly #primary: Database;
  readonly #replica: Database | null;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  readonly #positions: { lsn: string; at: number }[] = [];
  readonly #probing: Promise<void>;
  /** The time at which the primary was at the last position that the replica has replayed, by the monotonic clock. */
  #reachedAt = Number.NEGATIVE_INFINITY;
  #wasUsed = true;

  constructor({ primary, replica, log }: { primary: Database; replica: Database | null; log: Log }) {
    this.#primary = primary;
    this.#replica = replica;
    this.#log = log;
    this.#probing = replica ? this.#keepProbing(replica) : Promise.resolve();
  }

  /** Whether the replica is recent enough to be used; null without one. */
  isReplicaUsed(): boolean | null {
    return this.#replica && performance.now() - this.#reachedAt <= maxStaleness;
  }

  /** Runs the work, and again on the primary if the replica fails in the middle. */
  async run<Result>(work: (from: ReadPools) => Promise<Result>): Promise<Result> {
    if (this.#replica === null || !this.isReplicaUsed()) return await work(this.#primary);
    try {
      return await work(this.#replica);
    } catch (error) {
      // A standby cancels queries that conflict with what it replays.
      const isConflict = errorCode(error) === "40001";
      if (!isConflict && !isDatabaseFailure(error)) throw error;
      if (!isConflict) this.#reachedAt = Number.NEGATIVE_INFINITY;
      return await work(this.#primary);
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#probing;
    await this.#replica?.close();
  }

  async #keepProbing(replica: Database): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const inTime = await Promise.race([
        this.#probe(replica).then(
          () => true,
          () => true,
        ),
        setTimeout(probeTimeout, false, { ref: false }),
      ]);
      // Queries that wait for the replica fail, and run on the primary instead.
      if (!inTime) replica.sockets.cut("the replica does not answer");
      this.#logChange();
      await setTimeout(probeInterval, undefined, { signal }).catch(() => {});
    }
  }

  async #probe(replica: Database): Promise<void> {
    const at = performance.now();
    const { rows } = await this.#primary.pool.query<Position>({
      name: "primary_position",
      text: primaryPosition,
    });
    const [now] = rows;
    if (!now) return;
    this.#positions.push({ lsn: now.lsn, at });
    if (this.#positions.length > maxPositions) this.#positions.shift();
    const { rows: positions } = await replica.pool.query<{ at: number }>({
      name: "reached_position",
      text: reachedPosition,
      values: [
        this.#positions.map(({ lsn }) => lsn),
        this.#positions.map((each) => each.at),
        now.system,
        now.timeline,
      ],
    });
    if (positions[0]) this.#reachedAt = positions[0].at;
  }

  #logChange(): void {
    const isUsed = this.isReplicaUsed() === true;
    if (isUsed === this.#wasUsed) return;
    this.#wasUsed = isUsed;
    if (isUsed) this.#log.info("lists are read from the replica again");
    else this.#log.warn("the replica is too far behind or away: lists are read from the primary");
  }
}
