import { randomUUID } from "node:crypto";
import { answerProgramme } from "#domain/eligibility.ts";
import type { Outcome } from "#domain/outcome.ts";
import { startDay } from "#domain/programme.ts";
import type { RequirementSet } from "#domain/requirement.ts";
import { programmesForStudent } from "#server/features/programmes/finding/for-student.ts";
import { gradeEquivalence } from "#server/features/programmes/tables.ts";
import { storeInstitution, storeProgrammeOf } from "./programmes.ts";
import { randomEquivalence, randomOf, randomRecord, randomRequirement } from "./random-records.ts";
import type { Wayfare } from "./wayfare.ts";

/** The result of a comparison; only the first few `differences` are described. */
type Comparison = { pairs: number; differences: string[]; outcomes: Partial<Record<Outcome, number>> };

/**
 * Compares the outcomes in random students' lists with those that the domain alone computes from the entered data, for
 * each pair of a student and a programme.
 */
export async function compareAnswers(
  w: Wayfare,
  { programmes, students, seed }: { programmes: number; students: number; seed: number },
): Promise<Comparison> {
  const random = randomOf(seed);
  const { database, requirementIndex } = w.services;
  const tables = random.times(40, 40, () => randomEquivalence(random));
  await database.db.insert(gradeEquivalence).values(tables.map((row) => ({ id: randomUUID(), ...row })));
  const university = await storeInstitution(w);
  // Far fewer than programmes, so that some share their requirements.
  const requirements = random.times(300, 300, () => randomRequirement(random));
  const catalogue = new Map<string, { sets: RequirementSet[]; start: string }>();
  for (let number = 0; number < programmes; number++) {
    const sets = random.times(0, 4, () => random.times(1, 4, () => random.pick(requirements)));
    const intake = { year: random.whole(2027, 2030), month: random.whole(1, 12) };
    const id = await storeProgrammeOf(w, university, {
      title: `Course ${number}`,
      requirementSets: sets,
      intakes: [{ ...intake, state: "open", deadlines: [] }],
    });
    catalogue.set(id, { sets, start: startDay(intake) });
  }
  const result: Comparison = { pairs: 0, differences: [], outcomes: {} };
  const query = { search: "", filters: {}, outcome: undefined, sort: "title", cursor: null } as const;
  for (let number = 0; number < students; number++) {
    const record = randomRecord(random);
    const list = await programmesForStudent(
      database,
      requirementIndex,
      { record, groups: [] },
      {
        ...query,
        limit: programmes,
      },
    );
    for (const { id, outcome } of list.programmes) {
      const entered = catalogue.get(id);
      if (!entered) continue;
      result.pairs += 1;
      result.outcomes[outcome] = (result.outcomes[outcome] ?? 0) + 1;
      const expected = answerProgramme(entered.sets, record, entered.start, tables).outcome;
      if (outcome !== expected && result.differences.length < 3)
        result.differences.push(JSON.stringify({ record, ...entered, outcome, expected }));
    }
  }
  return result;
}
