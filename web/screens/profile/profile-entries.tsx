import type { ProfileEntry } from "#contract/profile.ts";
import { profileFields, profileLabel } from "#domain/profile.ts";
import { EnteredBy } from "../../ui/entered-by.tsx";
import { Notice } from "../../ui/notice.tsx";
import classes from "./profile-fields.module.css";

/** Lists who filled in which fields on a student's behalf. Shows nothing if nobody did. */
export function ProfileEntries({ entries, isOwn }: { entries: readonly ProfileEntry[]; isOwn: boolean }) {
  if (entries.length === 0) return null;
  return (
    <Notice>
      <ul className={classes.entries} aria-label="Entered by others">
        {entries.map(({ by, at, fields }) => (
          <li key={at.getTime()}>
            <EnteredBy by={by} at={at} />: {fieldWords(fields)}.
          </li>
        ))}
      </ul>
      {isOwn && "Please check these details. What you change becomes your own entry."}
    </Notice>
  );
}

/** Names the fields, unless all of them were filled in, which would be too many. */
const fieldWords = (fields: ProfileEntry["fields"]): string =>
  fields.length === profileFields.length - 1
    ? "all details"
    : fields.map((field) => profileLabel[field]).join(", ");
