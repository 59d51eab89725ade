import { type Deadline, type DeadlineForm, zonePlace } from "#domain/deadline.ts";
import { ownZone } from "../../lib/format-date.ts";
import { SelectField, TextField } from "../../ui/form/fields.tsx";
import classes from "./plan.module.css";

export const deadlineFields = ["date", "time", "zone", "hard"] as const;
type Values = Readonly<Record<(typeof deadlineFields)[number], string>>;

const applicant = "applicant";

/** Every zone that this browser knows, by name. */
const zones = (): { value: string; label: string }[] => {
  const all = new Set([ownZone(), "UTC", ...Intl.supportedValuesOf("timeZone")]);
  return [...all].toSorted().map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }));
};

/** Returns the typed deadline; null without a date. */
export const deadlineIn = ({ date, time, zone, hard }: Values): DeadlineForm | null =>
  date === ""
    ? null
    : {
        date,
        time: time === "" ? null : time,
        zone: zone === applicant ? "" : zone,
        whose: zone === applicant ? "applicant" : "institution",
        hard: hard !== "",
      };

type DeadlineFieldsProps = {
  /** Null for many students, each with a zone of their own. */
  studentZone: string | null;
  due?: Deadline | null;
};

/** The fields of a deadline: day, time or end of the day, time zone, and whether anything is accepted after it. */
export function DeadlineFields({ studentZone, due = null }: DeadlineFieldsProps) {
  const zone = due?.whose === "applicant" ? applicant : (due?.zone ?? ownZone());
  return (
    <>
      <div className={classes.pair}>
        <TextField
          optional
          name="date"
          type="date"
          label="Due on"
          defaultValue={due?.date ?? ""}
          description="Leave it empty for no deadline."
          descriptionBelow
        />
        <TextField
          optional
          name="time"
          type="time"
          label="At"
          defaultValue={due?.time ?? ""}
          description="Leave it empty for the end of the day."
          descriptionBelow
        />
      </div>
      <SelectField
        name="zone"
        label="On the clocks of"
        defaultValue={zone}
        data={[
          {
            value: applicant,
            label: studentZone === null ? "Each student" : `The student (${zonePlace(studentZone)})`,
          },
          ...zones(),
        ]}
      />
      <label className={classes.choice}>
        <input type="checkbox" name="hard" defaultChecked={due?.hard ?? false} />
        Nothing is taken after it
      </label>
    </>
  );
}
