import type { Intake } from "#domain/application.ts";
import {
  type IntakeDeadline,
  type IntakeDeadlineKind,
  type IntakeEntry,
  type IntakeState,
  isUpcoming,
} from "#domain/programme.ts";

/** Labels of the current state of an intake. `removed`: it is no longer in the catalogue. */
export const currentStateLabels = {
  open: "Open",
  notYet: "Not open yet",
  full: "Full",
  closed: "Closed",
  removed: "No longer offered",
} as const;
export type CurrentState = keyof typeof currentStateLabels;

/** Returns the start of the application form that an intake in a month (1 to 12) belongs to; null for other months. */
export function intakeOfMonth(month: number): Intake | null {
  switch (month) {
    case 8:
    case 9:
      return "Fall Intake (August or September)";
    case 1:
      return "Spring Intake (January)";
    case 5:
    case 6:
      return "Summer Intake (May or June)";
    default:
      return null;
  }
}

/** Whether an application is for an intake: in its year, and at its start if the form has that month. */
export const isForIntake = (
  { startDate, year }: { startDate: Intake; year: number | null },
  intake: Pick<IntakeEntry, "year" | "month">,
): boolean => year === intake.year && (intakeOfMonth(intake.month) ?? startDate) === startDate;

/** Returns the deadlines with those of groups first, so that the others read as those for everyone else. */
export const groupsFirst = <Due extends Pick<IntakeDeadline, "group">>(deadlines: readonly Due[]): Due[] =>
  deadlines.toSorted((one, other) => Number(one.group === null) - Number(other.group === null));

/**
 * Returns the deadlines of a kind that apply to members of these groups of nationalities: those of the groups, or else
 * those for everyone.
 */
export function ownDeadlines<Due extends Pick<IntakeDeadline, "kind" | "group">>(
  deadlines: readonly Due[],
  kind: IntakeDeadlineKind,
  groups: readonly string[],
): Due[] {
  const ofKind = deadlines.filter((each) => each.kind === kind);
  const ofGroups = ofKind.filter(({ group }) => group !== null && groups.includes(group));
  return ofGroups.length > 0 ? ofGroups : ofKind.filter(({ group }) => group === null);
}

/** An intake with the moments at which its deadlines are over. */
export type DatedIntake = Pick<IntakeEntry, "year" | "month" | "state"> & {
  deadlines: readonly (Pick<IntakeDeadline, "kind" | "group" | "hard"> & { at: Date })[];
};

/**
 * Returns the state of an intake at a moment. An open one is closed once its month has come, or once members of these
 * groups of nationalities can't apply any more.
 */
export function intakeNow(intake: DatedIntake, groups: readonly string[], now: Date): IntakeState {
  const { state } = intake;
  if (state === "closed" || state === "full") return state;
  if (!isUpcoming(intake, now.toISOString().slice(0, 10))) return "closed";
  const own = ownDeadlines(intake.deadlines, "applyBy", groups);
  return own.length > 0 && own.every(({ hard, at }) => hard && at <= now) ? "closed" : state;
}

/** Whether anyone can apply for an intake now or later: everyone, or a group with its own deadline. */
export function takesApplications(intake: DatedIntake, now: Date): boolean {
  const groups = intake.deadlines.flatMap(({ group }) => (group === null ? [] : [[group]]));
  return [[], ...groups].some((own) => ["open", "notYet"].includes(intakeNow(intake, own, now)));
}

const fromBest = ["open", "notYet", "full", "closed"] as const satisfies readonly IntakeState[];

/** Returns the current state of a programme: that of its best intake, or null if it has no intake. */
export function programmeNow(
  intakes: readonly DatedIntake[],
  groups: readonly string[],
  now: Date,
): IntakeState | null {
  const states = new Set(intakes.map((intake) => intakeNow(intake, groups, now)));
  return fromBest.find((state) => states.has(state)) ?? null;
}
