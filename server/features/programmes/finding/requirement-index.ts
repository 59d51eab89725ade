import { setImmediate } from "node:timers/promises";
import { asc, inArray, sql } from "drizzle-orm";
import { answerWeight, outcomeOfWeight } from "#domain/eligibility.ts";
import { type Outcome, outcomes, programmeOutcome } from "#domain/outcome.ts";
import type { Equivalence } from "#domain/qualification.ts";
import { halfYear } from "#domain/qualification-answer.ts";
import type { Requirement, RequirementSet } from "#domain/requirement.ts";
import { answerRequirement, relevantPart } from "#domain/requirement-answer.ts";
import type { StudyRecord } from "#domain/study-record.ts";
import type { Reader } from "#server/platform/database.ts";
import { entryRequirements, requirement, requirementSet } from "../tables.ts";

/** Number of entry requirements whose sets are read at a time. */
const batchSize = 5_000;

/** Returns the index of an outcome in `outcomes`, which stands for it in SQL. */
export const rankOf = (outcome: Outcome): number => outcomes.indexOf(outcome);
/** The rank of programmes without entry requirements. */
export const unrankedPosition = rankOf(programmeOutcome([]));

/**
 * The answers of a student's record to all entry requirements. `parts` has for each start where its part of `ranks`
 * begins, which has a rank at the id of each entry requirements. Starts with the same answers share a part.
 */
export type AnsweredCatalogue = { ranks: Uint8Array; size: number; parts: Map<string, number> };

type SetsById = readonly (readonly [id: number, sets: readonly (readonly number[])[]])[];

/** Returns for each of the entry requirements the rank of the best outcome of its sets. */
function rankAll(all: SetsById, weights: Uint8Array, size: number): Uint8Array {
  const ranks = new Uint8Array(size).fill(unrankedPosition);
  for (const [id, sets] of all) {
    let best = sets.length === 0 ? unrankedPosition : outcomes.length;
    for (const ids of sets) {
      let weight = 0;
      for (const each of ids) weight += weights[each] ?? 0;
      best = Math.min(best, rankOf(outcomeOfWeight(weight)));
    }
    ranks[id] = best;
  }
  return ranks;
}

/** Spreads the squares of ids, so that different sets of ids have different sums. The squares stay safe integers. */
const modulus = 1_000_003;

/**
 * The entry requirements of the catalogue, in memory, so that the domain answers them all for a student within
 * milliseconds. Their rows never change and programmes share them, so only new ones are read and removed ones dropped.
 */
export class RequirementIndex {
  readonly #requirements = new Map<number, Requirement>();
  /** The ids of the requirements of each set, by the id of the entry requirements. */
  readonly #sets = new Map<number, readonly (readonly number[])[]>();

  /** Whether the database has the same ids, by their number and a sum over them. */
  #has({ count, sum }: { count: number; sum: number }): boolean {
    if (count !== this.#sets.size) return false;
    let ownSum = 0;
    for (const id of this.#sets.keys()) ownSum += (id * id) % modulus;
    return ownSum === sum;
  }

  /** Reads new rows and drops removed ones. Compares all ids, because they don't become visible in order. */
  async refresh(db: Reader): Promise<void> {
    const [totals] = await db
      .select({
        count: sql<number>`count(*)::int`,
        sum: sql<number>`coalesce(sum(id::bigint * id % ${modulus}), 0)::float8`,
      })
      .from(entryRequirements);
    if (!totals || this.#has(totals)) return;
    const rows = await db.select({ id: entryRequirements.id }).from(entryRequirements);
    const ids = new Set(rows.map(({ id }) => id));
    const missing = [...ids].filter((id) => !this.#sets.has(id));
    const gone = [...this.#sets.keys()].filter((id) => !ids.has(id));
    for (let first = 0; first < missing.length; first += batchSize)
      await this.#read(db, missing.slice(first, first + batchSize));
    if (gone.length > 0) this.#drop(gone);
  }

  /** Drops entry requirements, and the requirements that no others use. */
  #drop(gone: readonly number[]): void {
    for (const id of gone) this.#sets.delete(id);
    const ids = new Set([...this.#sets.values()].flat(2));
    for (const id of this.#requirements.keys()) if (!ids.has(id)) this.#requirements.delete(id);
  }

  async #read(db: Reader, ids: readonly number[]): Promise<void> {
    const rows = await db
      .select()
      .from(requirementSet)
      .where(inArray(requirementSet.entryRequirementsId, [...ids]))
      .orderBy(asc(requirementSet.entryRequirementsId), asc(requirementSet.place));
    const requirementIds = new Set(rows.flatMap(({ requirementIds }) => requirementIds));
    const contents = await db
      .select({ id: requirement.id, content: requirement.content })
      .from(requirement)
      .where(inArray(requirement.id, [...requirementIds.difference(this.#requirements)]));
    for (const { id, content } of contents) this.#requirements.set(id, content);
    const sets = Map.groupBy(rows, ({ entryRequirementsId }) => entryRequirementsId);
    for (const id of ids)
      this.#sets.set(
        id,
        (sets.get(id) ?? []).map(({ requirementIds }) => requirementIds),
      );
  }

  /** Returns the sets of these entry requirements, as last read. */
  setsOf(id: number | null): RequirementSet[] {
    const sets = id === null ? [] : (this.#sets.get(id) ?? []);
    return sets.map((ids) => ids.flatMap((each) => this.#requirements.get(each) ?? []));
  }

  /** Answers all entry requirements for a student. Yields to other requests between two starts. */
  async answer(
    record: StudyRecord,
    starts: readonly string[],
    tables: readonly Equivalence[],
  ): Promise<AnsweredCatalogue> {
    // Requirements that are read in the meantime are not part of these answers.
    const sets = [...this.#sets];
    const weigh = (content: Requirement, start: string) =>
      answerWeight(answerRequirement(content, record, start, tables));
    const weights = new Uint8Array(
      [...this.#requirements.keys()].reduce((most, id) => Math.max(most, id), 0) + 1,
    );
    const ordered = starts.toSorted();
    const first = ordered[0] ?? "";
    const byPart = Map.groupBy(this.#requirements, ([, content]) => relevantPart(content, record, first));
    const weighAll = (part: ReturnType<typeof relevantPart>, start: string) => {
      for (const [id, content] of byPart.get(part) ?? []) weights[id] = weigh(content, start);
    };
    weighAll("none", first);
    const size = sets.reduce((most, [id]) => Math.max(most, id), 0) + 1;
    const eras: { weights: Buffer; ranks: Uint8Array }[] = [];
    const parts = new Map<string, number>();
    for (const [place, start] of ordered.entries()) {
      if (halfYear(start) !== halfYear(ordered[place - 1] ?? "")) weighAll("halfYear", start);
      weighAll("day", start);
      let era = eras.findIndex((each) => each.weights.equals(weights));
      if (era === -1)
        era = eras.push({ weights: Buffer.from(weights), ranks: rankAll(sets, weights, size) }) - 1;
      parts.set(start, era * size);
      await setImmediate();
    }
    return { ranks: Buffer.concat(eras.map(({ ranks }) => ranks)), size, parts };
  }
}
