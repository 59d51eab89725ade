import type { ProgrammeCard } from "#contract/programmes.ts";
import { takesApplications } from "../listing.ts";
import { noAmount } from "../tables.ts";
import type { AddParameter, ProgrammeFilters } from "./conditions.ts";

/** A programme as PostgreSQL writes it as JSON. */
export type CardRow = Omit<ProgrammeCard, "aboutRand" | "applyBy"> & {
  stale: boolean;
  /** The value that the list is ordered by: a title, cents, or a time. */
  key: string | number;
  aboutRand: number;
  applyBy: { at: string; zone: string; hard: boolean } | null;
  /** The first day of the month that it is judged for. */
  judgedFor: string;
};

/**
 * Returns the condition of the start that a card shows: the one that is filtered by, or else the next one. A start stays
 * in the search index until the night after its deadline, and is shown as long as it is found.
 */
export const shownStart = ({ intake }: ProgrammeFilters, bind: AddParameter): string =>
  intake === undefined
    ? takesApplications
    : `dropped_at is null and make_date(year, month, 1) = ${bind(`${intake}-01`)}::date`;

/**
 * Selects a page's programmes as lists show them, in the page's order: as one JSON array, which the driver reads faster
 * than rows. `page` selects ids with `stale`, `key` and what `more` adds; `start` is the condition of the start that is
 * shown; `groups` is an array of the groups of nationalities whose own deadlines are shown, by their names.
 */
export const cardsOf = (page: string, { start = takesApplications, groups = "'{}'", more = "" } = {}) => `
  select coalesce(json_agg(card), '[]') as programmes from (
    select page.stale, page.key ${more}, programme.id, programme.slug, title, level, field, award, months, mode, language,
      json_build_object('id', institution.id, 'name', institution.name, 'country', institution.country, 'place', place)
        as institution,
      coalesce(case when tuition is not null
        then json_build_object('amount', tuition, 'currency', tuition_currency, 'per', 'year') end, whole.fee) as tuition,
      tuition_rand as "aboutRand", checked_on as "checkedOn", sample, judged_for as "judgedFor",
      case when intake.id is not null then json_build_object('year', year, 'month', month) end as "nextIntake",
      case when due_at is not null then json_build_object('at', due_at, 'zone', institution.zone, 'hard', hard) end
        as "applyBy",
      apply.name is null and exists (select from intake_deadline
        where intake_id = intake.id and kind = 'applyBy' and group_id is not null) as "applyByVaries"
    from (${page}) page
    join programme on programme.id = page.id
    join institution on institution.id = institution_id
    left join lateral (
      select json_build_object('amount', amount, 'currency', currency, 'per', per) as fee from programme_fee
      where tuition is null and programme_id = programme.id and kind = 'tuition' and per = 'whole' and audience <> 'home'
      order by academic_year desc, audience desc limit 1) whole on true
    left join lateral (
      select id, year, month from programme_intake
      where programme_id = programme.id and ${start} order by year, month limit 1) intake on true
    left join lateral (
      select due_at, hard, name from intake_deadline
      left join nationality_group on nationality_group.id = group_id
      where intake_id = intake.id and kind = 'applyBy' and (group_id is null or name = any(${groups}::text[]))
      order by group_id is null, due_at limit 1) apply on true
    order by page.stale, page.key, page.id) card`;

/** Returns the programme as a list shows it. */
export const cardOf = (row: CardRow): ProgrammeCard => ({
  id: row.id,
  slug: row.slug,
  institution: row.institution,
  title: row.title,
  level: row.level,
  field: row.field,
  award: row.award,
  months: row.months,
  mode: row.mode,
  language: row.language,
  tuition: row.tuition,
  aboutRand: row.aboutRand === noAmount ? null : row.aboutRand,
  nextIntake: row.nextIntake,
  applyBy: row.applyBy && { ...row.applyBy, at: new Date(row.applyBy.at) },
  applyByVaries: row.applyByVaries,
  checkedOn: row.checkedOn,
  sample: row.sample,
});

/** Returns the part of a cursor by which lists go on after a programme. */
export const positionOf = ({ stale, key, id }: CardRow, sort: string): string[] => [
  String(stale),
  sort === "deadline" ? new Date(key).toISOString() : String(key),
  id,
];
