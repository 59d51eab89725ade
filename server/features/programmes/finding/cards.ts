import type pg from "pg";
import type { ProgrammeCard } from "#contract/programmes.ts";
import { takesApplications } from "../listing.ts";
import { noAmount } from "../tables.ts";
import type { ProgrammeFilters } from "./conditions.ts";

/** A programme of a page, with its position in the list. */
export type ListedRow = {
  id: string;
  stale: boolean;
  /** The value that the list is ordered by: a title, cents, or a time. */
  key: string | Date;
};

/** Returns the part of a cursor that continues a list after a programme. */
export const positionOf = ({ stale, key, id }: ListedRow): string[] => [
  String(stale),
  key instanceof Date ? key.toISOString() : key,
  id,
];

/** A programme as PostgreSQL returns it in JSON. */
type CardRow = Omit<ProgrammeCard, "aboutRand" | "applyBy"> & {
  aboutRand: number;
  applyBy: { at: string; zone: string; hard: boolean } | null;
};

/**
 * Selects programmes for lists as one JSON array, which the driver reads faster than rows. `isShown` is the condition
 * for the intake that is shown.
 */
const cardsText = (isShown: string) => `
  select coalesce(json_agg(card), '[]') as cards from (
    select programme.id, slug, title, level, field, award, months, mode, language,
      json_build_object('id', institution.id, 'name', institution.name, 'country', institution.country, 'place', place)
        as institution,
      coalesce(case when listing.tuition is not null
        then json_build_object('amount', listing.tuition, 'currency', listing.tuition_currency, 'per', 'year') end, whole.fee)
        as tuition,
      listing.tuition_rand as "aboutRand", checked_on as "checkedOn", sample,
      case when intake.id is not null then json_build_object('year', year, 'month', month) end as "nextIntake",
      case when due_at is not null then json_build_object('at', due_at, 'zone', institution.zone, 'hard', hard) end
        as "applyBy",
      apply.name is null and exists (select from intake_deadline
        where intake_id = intake.id and kind = 'applyBy' and group_id is not null) as "applyByVaries"
    from programme
    join programme_listing listing on listing.id = programme.id
    join institution on institution.id = institution_id
    left join lateral (
      select json_build_object('amount', amount, 'currency', currency, 'per', per) as fee from programme_fee
      where listing.tuition is null and programme_id = programme.id and kind = 'tuition' and per = 'whole'
        and audience <> 'home'
      order by academic_year desc, audience desc limit 1) whole on true
    left join lateral (
      select id, year, month from programme_intake
      where programme_id = programme.id and dropped_at is null and ${isShown}
      order by year, month limit 1) intake on true
    left join lateral (
      select due_at, hard, name from intake_deadline
      left join nationality_group on nationality_group.id = group_id
      where intake_id = intake.id and kind = 'applyBy' and (group_id is null or name = any($2::text[]))
      order by group_id is null, due_at limit 1) apply on true
    where programme.id = any($1::uuid[])) card`;
const nextIntakeQuery = { name: "programme_cards", text: cardsText(takesApplications) };
/** An intake stays in the search index until the night after its deadline, and is shown as long as it is found. */
const intakeQuery = {
  name: "programme_cards_of_start",
  text: cardsText("make_date(year, month, 1) = $3::date"),
};

const cardOf = ({ aboutRand, applyBy, ...card }: CardRow): ProgrammeCard => ({
  ...card,
  aboutRand: aboutRand === noAmount ? null : aboutRand,
  applyBy: applyBy && { ...applyBy, at: new Date(applyBy.at) },
});

/**
 * Returns the cards of programmes by id, with the intake that is filtered by, or else the next one. `groups` names the
 * nationality groups whose own deadlines are shown.
 */
export async function readCards(
  pool: pg.Pool,
  page: readonly ListedRow[],
  { intake }: ProgrammeFilters,
  groups: readonly string[] = [],
): Promise<Map<string, ProgrammeCard>> {
  const values = [page.map(({ id }) => id), groups];
  const { rows } = await pool.query<{ cards: CardRow[] }>(
    intake === undefined
      ? { ...nextIntakeQuery, values }
      : { ...intakeQuery, values: [...values, `${intake}-01`] },
  );
  return new Map(rows[0]?.cards.map((card) => [card.id, cardOf(card)]));
}
