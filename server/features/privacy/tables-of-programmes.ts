import { sql } from "drizzle-orm";
import { agreement } from "../agreements/tables.ts";
import { programmeImport, programmeImportChange } from "../programmes/imports/tables.ts";
import {
  differentInstitutions,
  entryRequirements,
  exchangeRate,
  gradeEquivalence,
  institution,
  intakeDeadline,
  nationalityGroup,
  programme,
  programmeFee,
  programmeIntake,
  programmeListing,
  programmeWord,
  requirement,
  requirementSet,
} from "../programmes/tables.ts";
import { recordQualification, recordTest, studyRecord } from "../study-record/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";

/** Selects the name of the person who entered a row of the student's record. */
const enteredBy = (id: string) => sql`
  case when entered_by is null or entered_by = ${id} then 'you'
    else coalesce((select nullif(concat_ws(', ', by.name, nullif(by.agency, '')), '') from "user" by where by.id = entered_by),
      'somebody whose account is gone') end as "enteredBy"`;

const ofCatalogue = {
  omittedBecause: "It is part of the catalogue of programmes, which is public.",
  keptBecause: "it isn't about a person",
} as const;

/** The tables of the programme catalogue, and of the student records that are matched against it. */
export const tablesOfProgrammes: readonly TableOfPeople[] = [
  {
    table: recordQualification,
    download: {
      qualifications: (id) => sql`
        select country, award, name, scale, grade, year, subjects, ${enteredBy(id)}
        from record_qualification where student_id = ${id} order by year, id`,
    },
    // An entry by an erased agent belongs to the student, and its author's id then refers to no account.
    erase: [({ id }) => sql`delete from record_qualification where student_id = ${id}`],
  },
  {
    table: recordTest,
    download: {
      englishTests: (id) => sql`
        select test, taken_on as "takenOn", overall, components, ${enteredBy(id)}
        from record_test where student_id = ${id} order by taken_on, id`,
    },
    erase: [({ id }) => sql`delete from record_test where student_id = ${id}`],
  },
  {
    table: studyRecord,
    download: {
      studyRecord: (id) => sql`
        select work_months as "monthsOfWork", updated_at as "updatedAt" from study_record where student_id = ${id}`,
    },
    erase: [({ id }) => sql`delete from study_record where student_id = ${id}`],
  },
  {
    table: programmeImport,
    download: {
      importsOfProgrammes: (id) => sql`
        select source, started_at as "startedAt", finished_at as "finishedAt", undone_at as "undoneAt", added, changed
        from programme_import where started_by = ${id} order by started_at, id`,
    },
    erase: [({ id }) => sql`update programme_import set started_by = null where started_by = ${id}`],
    keptBecause: "it is about programmes, and an import can be undone",
  },
  {
    table: programme,
    download: {
      programmesChecked: (id) => sql`
        select title, checked_on as "checkedOn" from programme where checked_by = ${id} order by checked_on, id`,
    },
    erase: [({ id }) => sql`update programme set checked_by = null where checked_by = ${id}`],
    keptBecause: "it is the catalogue's, and the day of the check is kept",
  },
  // Erased after programmes, whose locks wait for a running import, so that its changes are visible here.
  {
    table: programmeImportChange,
    omittedBecause:
      "It has what a programme was before an import, and who had checked it, for undoing the import.",
    erase: [
      ({ id }) => sql`
        update programme_import_change set before = before || '{"checkedBy": null}'
        where before ->> 'checkedBy' = ${id}`,
    ],
    keptBecause: "it is about programmes, and an import can be undone",
  },
  {
    table: gradeEquivalence,
    download: {
      equivalencesEntered: (id) => sql`
        select from_scale as "fromScale", from_grade as "fromGrade", to_scale as "toScale", to_grade as "toGrade", source,
          entered_at as "enteredAt"
        from grade_equivalence where entered_by = ${id} order by entered_at, id`,
    },
    erase: [({ id }) => sql`update grade_equivalence set entered_by = null where entered_by = ${id}`],
    keptBecause: "it is the consultancy's table",
  },
  {
    table: agreement,
    download: {
      agreementsEntered: (id) => sql`
        select (select name from institution where institution.id = institution_id) as "institution", entered_at as "enteredAt"
        from agreement where entered_by = ${id} order by entered_at, institution_id`,
    },
    erase: [({ id }) => sql`update agreement set entered_by = null where entered_by = ${id}`],
    keptBecause: "it is between the consultancy and an institution",
  },
  {
    table: differentInstitutions,
    download: {
      institutionsSaidToBeDifferent: (id) => sql`
        select (select name from institution where institution.id = one_id) as "institution",
          (select name from institution where institution.id = other_id) as "other", decided_at as "decidedAt"
        from different_institutions where decided_by = ${id} order by decided_at, one_id, other_id`,
    },
    erase: [({ id }) => sql`update different_institutions set decided_by = null where decided_by = ${id}`],
    keptBecause: "it is about institutions",
  },
  { table: institution, ...ofCatalogue },
  { table: requirement, ...ofCatalogue },
  { table: entryRequirements, ...ofCatalogue },
  { table: requirementSet, ...ofCatalogue },
  { table: programmeIntake, ...ofCatalogue },
  { table: intakeDeadline, ...ofCatalogue },
  { table: nationalityGroup, ...ofCatalogue },
  { table: programmeFee, ...ofCatalogue },
  { table: programmeListing, ...ofCatalogue },
  { table: programmeWord, ...ofCatalogue },
  { table: exchangeRate, ...ofCatalogue },
];
