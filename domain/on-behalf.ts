/** A user who entered something on a student's behalf. The name is null once their account is deleted. */
export type EnteredBy = { name: string | null; agency: string };

/** Names the user for the student: "Kofi Mensah, North Star". */
export const enteredByName = ({ name, agency }: EnteredBy): string =>
  [name ?? "somebody whose account is gone", agency].filter(Boolean).join(", ");
