import { type ApplicationState, applicationStates, intakeName, isIntake } from "#domain/application.ts";

/** A stored step: an earlier version may have left any of its values out. */
type About = Readonly<Partial<Record<"student" | "program" | "intake" | "from" | "state" | "note", string>>>;

/** Characters of an answer that a title has room for. */
const longestInTitle = 80;

/** Names the programme and the intake, by either of which two applications of a student may differ. */
export const applicationName = (program: string, intake: string | undefined): string =>
  intake === undefined ? program : `${program}, ${isIntake(intake) ? intakeName[intake] : intake}`;

/** An application's new state, as its student is told. */
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

/** A student's own step, as the agent is told. A student takes no other step than these and an answer. */
const byStudent: Partial<Record<ApplicationState, (student: string, application: string) => string>> = {
  submitted: (student, application) => `New application from ${student}: ${application}`,
  accepted: (student, application) => `${student} has accepted the offer for ${application}`,
  withdrawn: (student, application) => `${student} has withdrawn the application for ${application}`,
};

const isAnswer = ({ student, from }: About): boolean =>
  student !== undefined && from === "informationRequired";
const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
const isLong = (text: string): boolean => inOneLine(text).length > longestInTitle;
const shortened = (text: string): string =>
  isLong(text) ? `${inOneLine(text).slice(0, longestInTitle).trimEnd()}…` : inOneLine(text);

/** `about` has the program, and of newer entries the intake and the codes of both states. */
export function applicationTitle(about: About): string {
  const { student, program = "Your application", intake, state: to = "", note = "" } = about;
  const application = applicationName(program, intake);
  const state = applicationStates.find((each) => each === to);
  // Entries of an earlier version have the state in words.
  if (state === undefined) return `${student === undefined ? "" : `${student}, `}${application}: ${to}`;
  if (student === undefined) return toStudent[state](application);
  if (isAnswer(about) && state === "inReview") return `${student} has answered: "${shortened(note)}"`;
  return byStudent[state]?.(student, application) ?? `${student}: ${toStudent[state](application)}`;
}

/** Returns the note of a step, or for an answer the part that the title left out. */
export function applicationDetails(about: About): string {
  const { program = "", intake, state, note = "" } = about;
  if (isAnswer(about) && state === "inReview")
    return `${isLong(note) ? `"${note}" ` : ""}For ${applicationName(program, intake)}.`;
  return note && `Note: ${note}`;
}

/** Whether somebody has just applied. */
const isNew = ({ state, from }: About): boolean => state === "submitted" && from === undefined;

/** The subject of a mail about several applications. */
export function applicationsTitle(abouts: readonly About[]): string {
  const added = abouts.filter(isNew).length;
  const updated = abouts.length - added;
  const parts = [
    ...(added > 0 ? [added === 1 ? "1 new application" : `${added} new applications`] : []),
    ...(updated > 0 ? [updated === 1 ? "1 update" : `${updated} updates`] : []),
  ];
  return `${parts.join(" and ")}${added > 0 ? "" : " to applications"}`;
}
