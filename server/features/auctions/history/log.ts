import { createHash } from "node:crypto";
import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import { headText } from "#domain/bid-history.ts";
import {
  completedBy,
  consistencyRanges,
  inclusionRanges,
  rangeHash,
  type Subtree,
  subtreesOf,
} from "#domain/merkle-tree.ts";
import { advisoryLocks } from "#server/platform/advisory-locks.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { auctionLogDay, auctionLogLeaf, auctionLogNode } from "./tables.ts";

/** Heads that one statement reads and writes. */
const batchSize = 1_000;

const sha256 = (...parts: readonly Buffer[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};
/** The prefixes that distinguish leaves from nodes (RFC 9162, section 2.1.1). */
const [leafPrefix, nodePrefix] = [Buffer.of(0), Buffer.of(1)];
const combine = (left: Buffer, right: Buffer): Buffer => sha256(nodePrefix, left, right);
const emptyRoot = sha256();

type MovedHead = { productId: string; number: number; hash: string };
type Node = Subtree & { hash: Buffer };
const nameOf = ({ level, position }: Subtree): string => `${level} ${position}`;

/** The tree's complete subtrees that its next leaves are combined with. */
class Edge {
  #size: number;
  #nodes: ReadonlyMap<string, Buffer>;

  constructor(size: number, nodes: ReadonlyMap<string, Buffer>) {
    this.#size = size;
    this.#nodes = nodes;
  }

  get size(): number {
    return this.#size;
  }

  get root(): Buffer {
    if (this.#size === 0) return emptyRoot;
    const range = { from: 0, to: this.#size };
    return rangeHash(
      subtreesOf(range).map((subtree) => nodeIn(this.#nodes, subtree)),
      combine,
    );
  }

  /** Adds leaves, and returns the new nodes of the tree. */
  add(leaves: readonly Buffer[]): Node[] {
    const nodes = new Map(this.#nodes);
    const added: Node[] = [];
    const keep = (node: Node) => {
      nodes.set(nameOf(node), node.hash);
      added.push(node);
    };
    for (const hash of leaves) {
      keep({ level: 0, position: this.#size, hash });
      for (const { level, position } of completedBy(this.#size)) {
        const child = (which: number) => nodeIn(nodes, { level: level - 1, position: 2 * position + which });
        keep({ level, position, hash: combine(child(0), child(1)) });
      }
      this.#size++;
    }
    const edge = subtreesOf({ from: 0, to: this.#size });
    this.#nodes = new Map(edge.map((subtree) => [nameOf(subtree), nodeIn(nodes, subtree)]));
    return added;
  }
}

function nodeIn(nodes: ReadonlyMap<string, Buffer>, subtree: Subtree): Buffer {
  const hash = nodes.get(nameOf(subtree));
  if (!hash) throw new Error(`the log has no node ${nameOf(subtree)}`);
  return hash;
}

async function readNodes(db: Reader, subtrees: readonly Subtree[]): Promise<Map<string, Buffer>> {
  const levels = subtrees.map(({ level }) => level);
  const positions = subtrees.map(({ position }) => position);
  const rows = await db
    .select()
    .from(auctionLogNode)
    .where(
      sql`(${auctionLogNode.level}, ${auctionLogNode.position}) in (
        select * from unnest(${sql.param(levels)}::int[], ${sql.param(positions)}::bigint[]))`,
    );
  return new Map(rows.map((node) => [nameOf(node), node.hash]));
}

/**
 * Reads heads that the log doesn't have yet, ordered by product. Leaves out products without bids, because their terms
 * may still be edited.
 */
async function readMoved(tx: Transaction, after: string | null): Promise<MovedHead[]> {
  const { rows } = await tx.execute<MovedHead>(sql`
    select product_id as "productId", bid_count as number, encode(head, 'hex') as hash
    from auction_bidding
    where head is not null and bid_count > 0 and written_to = bid_count and (${after}::uuid is null or product_id > ${after}::uuid)
      and not exists (
        select from auction_log_leaf leaf
        where leaf.product_id = auction_bidding.product_id and leaf.number = auction_bidding.bid_count)
    order by product_id limit ${batchSize}`);
  return rows;
}

/**
 * Appends changed heads to the log once a day, by the database's clock; the other nodes wait until it is done. The next
 * run catches up on a missed day. `day` replaces today in tests.
 */
export async function logHeads(
  { database }: Pick<Services, "database">,
  day: string | null = null,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.auctionLog})`);
    const { rows } = await tx.execute<{ day: string; done: boolean; size: number }>(sql`
      select day::text, exists (select from auction_log_day where day = today.day) as done,
        (select coalesce(max(position) + 1, 0) from auction_log_leaf)::float8 as size
      from (select coalesce(${day}::date, (clock_timestamp() at time zone 'utc')::date) as day) today`);
    const [today] = rows;
    if (!today || today.done) return;
    const { size } = today;
    const edge = new Edge(size, await readNodes(tx, subtreesOf({ from: 0, to: size })));
    let heads = await readMoved(tx, null);
    while (heads.length > 0) {
      await append(tx, edge, today.day, heads);
      heads = await readMoved(tx, heads.at(-1)?.productId ?? null);
    }
    await tx.insert(auctionLogDay).values({ day: today.day, size: edge.size, root: edge.root });
  });
}

async function append(tx: Transaction, edge: Edge, day: string, heads: readonly MovedHead[]): Promise<void> {
  const start = edge.size;
  const leaves = heads.map(({ productId, number, hash }, at) => ({
    position: start + at,
    day,
    productId,
    number,
    head: Buffer.from(hash, "hex"),
  }));
  const hashes = heads.map(({ productId, ...head }) =>
    sha256(leafPrefix, Buffer.from(headText(productId, head))),
  );
  await tx.insert(auctionLogLeaf).values(leaves);
  await tx.insert(auctionLogNode).values(edge.add(hashes));
}

/** Returns size and root of the log's latest day; null before the first one. */
export async function latestDay(db: Reader): Promise<{ size: number; root: Buffer } | null> {
  const [row] = await db.select().from(auctionLogDay).orderBy(desc(auctionLogDay.day)).limit(1);
  return row ?? null;
}

async function proofOf(db: Reader, ranges: readonly { from: number; to: number }[]): Promise<string[]> {
  const nodes = await readNodes(db, ranges.flatMap(subtreesOf));
  return ranges.map((range) =>
    rangeHash(
      subtreesOf(range).map((subtree) => nodeIn(nodes, subtree)),
      combine,
    ).toString("hex"),
  );
}

/** A leaf of the log and the proof that the tree of that size contains it. Hashes are hexadecimal. */
export type Inclusion = {
  size: number;
  root: string;
  leaf: { position: number; productId: string; number: number; hash: string };
  proof: string[];
};

/** Returns the proof of a product's latest head in the latest checkpoint; null if there is none. */
export async function proveInclusion(db: Reader, productId: string): Promise<Inclusion | null> {
  const day = await latestDay(db);
  if (!day) return null;
  const { size, root } = day;
  const [leaf] = await db
    .select()
    .from(auctionLogLeaf)
    .where(
      and(
        eq(auctionLogLeaf.productId, productId),
        lt(auctionLogLeaf.position, size),
        // Earlier versions logged terms before the first bid.
        gt(auctionLogLeaf.number, 0),
      ),
    )
    .orderBy(desc(auctionLogLeaf.number))
    .limit(1);
  if (!leaf) return null;
  const { position, number, head } = leaf;
  const proof = await proofOf(db, inclusionRanges(position, { from: 0, to: size }));
  return {
    size,
    root: root.toString("hex"),
    leaf: { position, productId, number, hash: head.toString("hex") },
    proof,
  };
}

/** Returns the proof that the log of size `to` extends the one of size `from`; null for sizes that it never had. */
export async function proveConsistency(db: Reader, from: number, to: number): Promise<string[] | null> {
  const day = await latestDay(db);
  if (!day || from < 1 || from > to || to > day.size) return null;
  return await proofOf(db, consistencyRanges(from, to));
}
