/** Facts that suggest that two accounts belong to one person, with their labels for admins. */
export const clueLabel = {
  passport: "Same last name, birth date and passport number",
  postcode: "Same last name, birth date and postcode",
  phone: "Same phone number",
} as const;
export type ClueKind = keyof typeof clueLabel;

/** An admin's answer to whether the accounts of a group belong to one person. */
export const verdicts = ["different", "same"] as const;
export type Verdict = (typeof verdicts)[number];

/** Most accounts in a group. A phone number that more accounts share is an office's. */
export const mostInGroup = 20;

/** Accounts that share a fact. */
export type Clue = { kind: ClueKind; accountIds: readonly string[] };
/** Accounts that may belong to one person, with all the kinds of facts that join them. */
export type DuplicateGroup = { accountIds: string[]; clues: ClueKind[] };

/**
 * Joins clues that share an account into groups, in the order of the clues. A clue stays apart if the joined group
 * would have more than `mostInGroup` accounts.
 */
export function joinClues(clues: readonly Clue[]): DuplicateGroup[] {
  const groups = new Set<DuplicateGroup>();
  const groupOf = new Map<string, DuplicateGroup>();
  for (const { kind, accountIds } of clues) {
    const touched = new Set(accountIds.flatMap((id) => groupOf.get(id) ?? []));
    const joined = new Set([...touched].flatMap((group) => group.accountIds).concat(accountIds));
    const merges = joined.size <= mostInGroup;
    const group: DuplicateGroup = merges
      ? { accountIds: [...joined], clues: [...new Set([...touched].flatMap((each) => each.clues)).add(kind)] }
      : { accountIds: [...accountIds], clues: [kind] };
    if (merges) for (const each of touched) groups.delete(each);
    groups.add(group);
    if (merges) for (const id of group.accountIds) groupOf.set(id, group);
  }
  return [...groups];
}
