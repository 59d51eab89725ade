import { useMutation } from "@tanstack/react-query";
import { countryName } from "#domain/country.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { genderLabel, identityFields, isGender, profileLabel } from "#domain/profile.ts";
import { formatDate } from "../../lib/format-date.ts";
import { api } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { SaveStudentFile } from "./save-student-file.tsx";
import classes from "./student-expanded.module.css";

/**
 * The fields that only the assigned agent and admins see, once they ask for them. Asked as a change and not as a
 * query: every look is in the audit log, so none is made that nobody asked for.
 */
export function IdentityDetails({ studentId }: { studentId: string }) {
  const { data, error, isPending, mutate, reset } = useMutation(api.students.identity.mutationOptions());
  return (
    <div className={classes.identity}>
      {data && (
        <dl className={classes.facts} aria-label="Identity details">
          {identityFields.map((field) => (
            <div key={field}>
              <dt>{profileLabel[field]}</dt>
              <dd>{shown(field, data[field])}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={classes.buttons}>
        <Button
          size="compact-md"
          variant="default"
          disabled={isPending}
          onClick={() => (data ? reset() : mutate({ studentId }))}
        >
          {data ? "Hide identity details" : isPending ? "Loading..." : "Show identity details"}
        </Button>
        <SaveStudentFile studentId={studentId} />
      </div>
      <ErrorModal title="Error" error={error && friendlyError(error)} onClose={reset} />
    </div>
  );
}

const dates: ReadonlySet<string> = new Set(["dateOfBirth", "passportExpiry"]);

function shown(field: string, text: string): string {
  if (text === "") return "Not given yet";
  if (field === "gender" && isGender(text)) return genderLabel[text];
  if (field === "citizenship") return countryName(text);
  // A calendar date, the same in every time zone.
  return dates.has(field) ? formatDate(new Date(`${text}T00:00`)) : text;
}
