import { and, desc, eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { ProgrammePage } from "#contract/programmes.ts";
import type { Currency } from "#domain/currency.ts";
import { deadlineInstant } from "#domain/deadline.ts";
import { takesApplications } from "#domain/intake.ts";
import type { Reader } from "#server/platform/database.ts";
import { readEntries } from "../entries.ts";
import { exchangeRate, institution, programme, programmeListing } from "../tables.ts";

/** Reads the newest rate of each of these currencies. */
async function ratesOf(db: Reader, currencies: readonly Currency[]) {
  if (currencies.length === 0) return [];
  const rows = await db
    .selectDistinctOn([exchangeRate.currency])
    .from(exchangeRate)
    .where(and(inArray(exchangeRate.currency, [...currencies]), lte(exchangeRate.day, sql`current_date`)))
    .orderBy(exchangeRate.currency, desc(exchangeRate.day));
  return rows.map(({ currency, day, perRand }) => ({ currency, day, perRand }));
}

/** Reads the programmes that meet the condition with everything that is public about them, in no particular order. */
async function readPages(db: Reader, which: SQL): Promise<ProgrammePage[]> {
  const rows = await readEntries(db, which);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const details = await db
    .select({ id: programme.id, judgedFor: programmeListing.judgedFor, institution })
    .from(programme)
    .innerJoin(programmeListing, eq(programmeListing.id, programme.id))
    .innerJoin(institution, eq(institution.id, programme.institutionId))
    .where(inArray(programme.id, ids));
  const detailsOf = new Map(details.map((row) => [row.id, row]));
  const currencies = new Set(rows.flatMap(({ entry }) => entry.fees.map(({ currency }) => currency)));
  const rates = await ratesOf(db, [...currencies]);
  return rows.flatMap(({ id, slug, removedAt, intakeIds, entry }): ProgrammePage[] => {
    const row = detailsOf.get(id);
    if (!row) return [];
    const { sourceId: _, fees, requirementSets, ...facts } = entry;
    const { name, country, place, zone, website } = row.institution;
    const intakes = entry.intakes.map((intake, at) => ({
      id: intakeIds[at] ?? "",
      ...intake,
      deadlines: intake.deadlines.map((deadline) => ({
        ...deadline,
        at: deadlineInstant({ ...deadline, zone }),
      })),
    }));
    return [
      {
        id,
        slug,
        removed: removedAt !== null,
        institution: { id: row.institution.id, name, country, place, zone, website },
        ...facts,
        judgedFor: row.judgedFor,
        rates: rates.filter(({ currency }) => fees.some((fee) => fee.currency === currency)),
        nextIntakeId: intakes.find((intake) => takesApplications(intake, new Date()))?.id ?? null,
        intakes,
        fees: [...fees],
        requirementSets: requirementSets.map((set) => [...set]),
      },
    ];
  });
}

/**
 * Returns a programme by its slug; null if there is none. Marks one that was removed from the catalogue. For the slug
 * of a joined programme, returns the one that it was joined into, with its own slug.
 */
export async function readPage(db: Reader, slug: string): Promise<ProgrammePage | null> {
  const { programmes } = await readCompared(db, [slug]);
  return programmes[0] ?? null;
}

/** Returns programmes in the order of the slugs, each once, and the number of slugs that never were a programme's. */
export async function readCompared(db: Reader, slugs: readonly string[]) {
  const rows = await db
    .select({ slug: programme.slug, id: sql<string>`coalesce(${programme.joinedTo}, ${programme.id})` })
    .from(programme)
    .where(inArray(programme.slug, [...slugs]));
  const idOf = new Map(rows.map(({ slug, id }) => [slug, id]));
  const ids = [...new Set(slugs.flatMap((slug) => idOf.get(slug) ?? []))];
  const pages = await readPages(db, inArray(programme.id, ids));
  const pageOf = new Map(pages.map((page) => [page.id, page]));
  return {
    programmes: ids.flatMap((id) => pageOf.get(id) ?? []),
    missing: slugs.filter((slug) => !idOf.has(slug)).length,
  };
}
