import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  completedBy,
  consistencyRanges,
  inclusionRanges,
  rangeHash,
  rootByInclusion,
  rootsByConsistency,
  subtreesOf,
} from "#domain/merkle-tree.ts";

const hash = (...parts: (Buffer | string)[]): string => {
  const hasher = createHash("sha256");
  for (const part of parts) hasher.update(part);
  return hasher.digest("hex");
};
const combine = (left: string, right: string): string =>
  hash(Buffer.of(1), Buffer.from(left, "hex"), Buffer.from(right, "hex"));
const leaves = Array.from({ length: 40 }, (_, at) => hash(Buffer.of(0), `leaf ${at}`));

/** Computes a root by the definition of RFC 9162, 2.1.1, to the letter. */
function definition(of: readonly string[]): string {
  const [only, ...others] = of;
  if (only === undefined) return hash("");
  if (others.length === 0) return only;
  let k = 1;
  while (k * 2 < of.length) k *= 2;
  return combine(definition(of.slice(0, k)), definition(of.slice(k)));
}

/** The complete subtrees as a log keeps them, added leaf by leaf. */
const nodes = new Map<string, string>();
for (const [at, leaf] of leaves.entries()) {
  nodes.set(`0 ${at}`, leaf);
  for (const { level, position } of completedBy(at)) {
    const child = (which: number) => nodes.get(`${level - 1} ${position * 2 + which}`) ?? "";
    nodes.set(`${level} ${position}`, combine(child(0), child(1)));
  }
}
const hashOf = (range: { from: number; to: number }): string =>
  rangeHash(
    subtreesOf(range).map(({ level, position }) => nodes.get(`${level} ${position}`) ?? ""),
    combine,
  );
const sizes = leaves.map((_, at) => at + 1);
const rootOf = (size: number): string => hashOf({ from: 0, to: size });

test("roots match the definition", () => {
  for (const size of sizes) expect(rootOf(size)).toBe(definition(leaves.slice(0, size)));
});

test("every leaf of every tree has a proof of inclusion that fits no other leaf", () => {
  for (const size of sizes)
    for (let leaf = 0; leaf < size; leaf++) {
      const proof = inclusionRanges(leaf, { from: 0, to: size }).map(hashOf);
      const rootBy = (changes: object) =>
        rootByInclusion({ leaf, size, hash: leaves[leaf] ?? "", proof, ...changes }, combine);
      expect(rootBy({})).toBe(rootOf(size));
      expect(rootBy({ hash: hash("another") })).not.toBe(rootOf(size));
      if (size > 1) expect(rootBy({ leaf: (leaf + 1) % size })).not.toBe(rootOf(size));
      expect(rootBy({ proof: [...proof, hash("more")] })).toBe(null);
      expect(rootBy({ leaf: size })).toBe(null);
    }
});

test("every tree is consistent with every smaller one, and with no other", () => {
  for (const size of sizes)
    for (let earlier = 1; earlier <= size; earlier++) {
      const proof = consistencyRanges(earlier, size).map(hashOf);
      const roots = rootsByConsistency({ earlier, size, root: rootOf(earlier), proof }, combine);
      expect(roots).toEqual({ earlier: rootOf(earlier), later: rootOf(size) });
      const forged = rootsByConsistency({ earlier, size, root: hash("another"), proof }, combine);
      expect(forged?.earlier === hash("another") && forged.later === rootOf(size)).toBe(false);
      expect(
        rootsByConsistency({ earlier, size, root: rootOf(earlier), proof: [...proof, "00"] }, combine),
      ).toBe(null);
    }
});
