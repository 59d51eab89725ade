import type { ProgrammePage } from "#contract/programmes.ts";
import { intakeYears } from "#domain/application.ts";
import { intakeOfMonth } from "#domain/intake.ts";
import { draftOf, dropDraft, keepDraft } from "../../lib/drafts.ts";

/** The name of the draft with the form's texts. */
export const draftName = "application";
/** The name of the draft with the chosen countries, which aren't the text of any one field. */
export const countriesDraft = "application countries";
/** The name of the draft with the programme that the form was filled from. */
const originDraft = "application origin";

/** The programme of the catalogue that the form was filled from, and perhaps its intake. */
export type Origin = { slug: string; programmeId: string; intakeId: string | null };

/** Returns the origin of the unsent form; null for one that was begun by hand. */
export function originOf(): Origin | null {
  const { slug, programmeId, intakeId = "" } = draftOf<"slug" | "programmeId" | "intakeId">(originDraft);
  return slug && programmeId ? { slug, programmeId, intakeId: intakeId || null } : null;
}

export const dropOrigin = (): void => dropDraft(originDraft);

/** Whether there is an unsent application. */
export const isBegun = (): boolean =>
  [draftName, countriesDraft].some((name) => Object.keys(draftOf(name)).length > 0);

/** Drops all drafts of the unsent application. */
export function dropApplication(): void {
  for (const name of [draftName, countriesDraft, originDraft]) dropDraft(name);
}

/**
 * Fills the form from a programme and one of its intakes; text in other fields stays. Does nothing if the form was
 * already filled from the same intake, so that later changes aren't lost. A start in a month that the form lacks, and a
 * year that it doesn't offer yet, are left to the student.
 */
export function fillFrom(programme: ProgrammePage, intakeId: string | null): void {
  const { id: programmeId, slug, title, level, institution, intakes } = programme;
  const intake = intakes.find(({ id }) => id === intakeId) ?? null;
  const origin = originOf();
  if (origin?.programmeId === programmeId && origin.intakeId === (intake?.id ?? null) && isBegun()) return;
  const year = intake && intakeYears(new Date()).includes(intake.year) ? String(intake.year) : "";
  const texts: Record<string, string> = {
    ...draftOf(draftName),
    program: title,
    highestStudyLevel: level,
    startDate: (intake && intakeOfMonth(intake.month)) ?? "",
    university: institution.name,
    year,
  };
  keepDraft(draftName, texts, {}, Object.keys(texts));
  keepDraft(countriesDraft, { country: institution.country }, {}, ["country"]);
  keepDraft(originDraft, { slug, programmeId, intakeId: intake?.id ?? "" }, {}, [
    "slug",
    "programmeId",
    "intakeId",
  ]);
}
