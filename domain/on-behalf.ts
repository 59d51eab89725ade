/** Somebody who entered something in a student's place. The name is null once that account is gone. */
export type EnteredBy = { name: string | null; agency: string };

/** Names them as the student reads it: "Kofi Mensah, North Star". */
export const enteredByName = ({ name, agency }: EnteredBy): string =>
  [name ?? "somebody whose account is gone", agency].filter(Boolean).join(", ");
