/**
 * The shape of a Merkle tree as RFC 9162, section 2.1, defines it, without its hashes: the subtrees that a root, a
 * proof of inclusion and a proof of consistency consist of. `Node` is a hash in any form, and `combine` hashes two of
 * them.
 */
export type Combine<Node> = (left: Node, right: Node) => Node;
/** Leaves from `from` up to, but not including, `to`. */
type Range = { from: number; to: number };
/** A complete subtree: `2 ** level` leaves from `position * 2 ** level` on. */
export type Subtree = { level: number; position: number };

/** Returns the largest power of two below a size of at least two. */
function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

/** Returns the complete subtrees of a range in a proof, from the left: each is smaller than the one before. */
export function subtreesOf({ from, to }: Range): Subtree[] {
  const subtrees: Subtree[] = [];
  let start = from;
  while (start < to) {
    let level = 0;
    while (2 ** (level + 1) <= to - start) level++;
    subtrees.push({ level, position: start / 2 ** level });
    start += 2 ** level;
  }
  return subtrees;
}

/** Returns the hash of a range from those of its subtrees, in their order. */
export function rangeHash<Node>(subtrees: readonly Node[], combine: Combine<Node>): Node {
  const hash = subtrees.reduceRight<Node | null>(
    (right, left) => (right === null ? left : combine(left, right)),
    null,
  );
  if (hash === null) throw new RangeError("a range of no leaves has no hash");
  return hash;
}

/** Returns the subtrees that become complete with the leaf at this position, the smallest first, without the leaf. */
export function completedBy(leaf: number): Subtree[] {
  const completed: Subtree[] = [];
  for (let level = 1; (leaf + 1) % 2 ** level === 0; level++)
    completed.push({ level, position: (leaf + 1) / 2 ** level - 1 });
  return completed;
}

/** Returns the ranges whose hashes show that a leaf is in a tree of that size (RFC 9162, 2.1.3.1). */
export function inclusionRanges(leaf: number, { from, to }: Range): Range[] {
  if (to - from <= 1) return [];
  const middle = from + largestPowerBelow(to - from);
  return leaf < middle
    ? [...inclusionRanges(leaf, { from, to: middle }), { from: middle, to }]
    : [...inclusionRanges(leaf, { from: middle, to }), { from, to: middle }];
}

/** Returns the ranges whose hashes show that a tree extends a smaller one (RFC 9162, 2.1.4.1). */
export function consistencyRanges(earlier: number, size: number): Range[] {
  const below = ({ from, to }: Range, isWhole: boolean): Range[] => {
    if (earlier === to) return isWhole ? [] : [{ from, to }];
    const middle = from + largestPowerBelow(to - from);
    return earlier <= middle
      ? [...below({ from, to: middle }, isWhole), { from: middle, to }]
      : [...below({ from: middle, to }, false), { from, to: middle }];
  };
  return earlier === 0 || earlier === size ? [] : below({ from: 0, to: size }, true);
}

/** Returns the root that a proof of inclusion leads to, or null if it has the wrong length (RFC 9162, 2.1.3.2). */
export function rootByInclusion<Node>(
  { leaf, size, hash, proof }: { leaf: number; size: number; hash: Node; proof: readonly Node[] },
  combine: Combine<Node>,
): Node | null {
  const ranges = leaf < size ? inclusionRanges(leaf, { from: 0, to: size }) : [];
  if (leaf >= size || ranges.length !== proof.length) return null;
  return proof.reduce(
    (root, each, at) => ((ranges[at]?.from ?? 0) > leaf ? combine(root, each) : combine(each, root)),
    hash,
  );
}

/**
 * Returns the roots of the smaller and of the larger tree that a proof of consistency leads to, or null if it has the
 * wrong length (RFC 9162, 2.1.4.2).
 */
export function rootsByConsistency<Node>(
  { earlier, size, root, proof }: { earlier: number; size: number; root: Node; proof: readonly Node[] },
  combine: Combine<Node>,
): { earlier: Node; later: Node } | null {
  const ranges = consistencyRanges(earlier, size);
  if (earlier < 1 || earlier > size || ranges.length !== proof.length) return null;
  // A smaller tree that is a whole subtree of the larger one is not in the proof, since its root is known.
  const isWhole = ranges.every(({ from }) => from >= earlier);
  const [start, ...others] = isWhole ? [root, ...proof] : proof;
  if (start === undefined) return null;
  const laterRanges = isWhole ? ranges : ranges.slice(1);
  let roots: { earlier: Node; later: Node } = { earlier: start, later: start };
  for (const [at, each] of others.entries()) {
    const isRight = (laterRanges[at]?.from ?? 0) >= earlier;
    roots = isRight
      ? { ...roots, later: combine(roots.later, each) }
      : { earlier: combine(each, roots.earlier), later: combine(each, roots.later) };
  }
  return roots;
}
