import { type ApplicationState, applicationStates, intakeName, isIntake } from "#domain/application.ts";
import { declinedNote } from "#domain/offer.ts";

/** A stored step: an earlier version may have left any of its values out. */
type About = Readonly<
  Partial<
    Record<"student" | "program" | "university" | "intake" | "year" | "from" | "state" | "note", string>
  >
>;

/** Most characters of an answer in a title. */
const longestInTitle = 80;

/** The fields by which a student's applications differ. `university` is empty, and `year` null, if not given. */
export type NamedApplication = {
  program: string;
  university: string;
  startDate: string;
  year: number | null;
};

/** Names an application: "MSc Data Science, University of Leeds, Fall Intake 2027". */
export const applicationName = ({ program, university, startDate, year }: NamedApplication): string =>
  nameOf({ program, university, intake: startDate, year: year === null ? "" : String(year) });

/** Names the application of a notification. Entries of earlier versions may lack university, year and intake. */
export function nameOf({ program = "", university = "", intake = "", year = "" }: About): string {
  const when = isIntake(intake) ? intakeName[intake] : intake;
  return [program, university, when === "" ? "" : `${when} ${year}`.trim()].filter(Boolean).join(", ");
}

/** Titles for the student of an application, by its new state. */
const toStudent: Record<ApplicationState, (application: string) => string> = {
  submitted: (application) => `Your application for ${application} is submitted`,
  inReview: (application) => `Your application for ${application} is in review`,
  informationRequired: (application) => `We need more information for ${application}`,
  sentToUniversity: (application) => `Your application for ${application} was sent to the university`,
  conditionalOffer: (application) => `You have a conditional offer for ${application}`,
  unconditionalOffer: (application) => `You have an unconditional offer for ${application}`,
  accepted: (application) => `Your offer for ${application} is accepted`,
  visa: (application) => `Your application for ${application} is at the visa stage`,
  enrolled: (application) => `You're enrolled for ${application}`,
  rejected: (application) => `Your application for ${application} was rejected`,
  withdrawn: (application) => `Your application for ${application} was withdrawn`,
  deferred: (application) => `Your application for ${application} was deferred`,
};

/** Titles for the agent, by the student's step. Apart from these, a student can only answer. */
const byStudent: Partial<Record<ApplicationState, (student: string, application: string) => string>> = {
  submitted: (student, application) => `New application from ${student}: ${application}`,
  accepted: (student, application) => `${student} has accepted the offer for ${application}`,
  withdrawn: (student, application) => `${student} has withdrawn the application for ${application}`,
};

const isAnswer = ({ student, from }: About): boolean =>
  student !== undefined && from === "informationRequired";
const isDecline = ({ state, note }: About): boolean => state === "withdrawn" && note === declinedNote;
const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
const isLong = (text: string): boolean => inOneLine(text).length > longestInTitle;
const shortened = (text: string): string =>
  isLong(text) ? `${inOneLine(text).slice(0, longestInTitle).trimEnd()}…` : inOneLine(text);

/** Returns the title of a step. `about` has the program, and in newer entries the intake and codes of both states. */
export function applicationTitle(about: About): string {
  const { student, program = "Your application", state: to = "", note = "" } = about;
  const application = nameOf({ ...about, program });
  const state = applicationStates.find((each) => each === to);
  // Entries of an earlier version have the state's label instead of its code.
  if (state === undefined) return `${student === undefined ? "" : `${student}, `}${application}: ${to}`;
  if (student === undefined) return toStudent[state](application);
  if (isDecline(about)) return `${student} has declined the offer for ${application}`;
  if (isAnswer(about) && state === "inReview") return `${student} has answered: "${shortened(note)}"`;
  return byStudent[state]?.(student, application) ?? `${student}: ${toStudent[state](application)}`;
}

/** Returns the note of a step, or for an answer the part that the title left out. */
export function applicationDetails(about: About): string {
  if (about.student !== undefined && isDecline(about)) return "";
  const { state, note = "" } = about;
  if (isAnswer(about) && state === "inReview")
    return `${isLong(note) ? `"${note}" ` : ""}For ${nameOf(about)}.`;
  return note && `Note: ${note}`;
}

const isNewApplication = ({ state, from }: About): boolean => state === "submitted" && from === undefined;

/** Returns the subject of an email about several applications. */
export function applicationsTitle(abouts: readonly About[]): string {
  const newCount = abouts.filter(isNewApplication).length;
  const updateCount = abouts.length - newCount;
  const parts = [
    ...(newCount > 0 ? [newCount === 1 ? "1 new application" : `${newCount} new applications`] : []),
    ...(updateCount > 0 ? [updateCount === 1 ? "1 update" : `${updateCount} updates`] : []),
  ];
  return `${parts.join(" and ")}${newCount > 0 ? "" : " to applications"}`;
}
