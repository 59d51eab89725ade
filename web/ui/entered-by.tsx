import { type EnteredBy as Author, enteredByName } from "#domain/on-behalf.ts";
import { formatDate } from "../lib/format-date.ts";

/** Says who entered something on a student's behalf, and when: "Entered by Kofi Mensah, North Star, 3 May 2026". */
export const EnteredBy = ({ by, at }: { by: Author; at: Date | null }) => (
  <>
    Entered by {enteredByName(by)}
    {at && <>, {formatDate(at)}</>}
  </>
);
