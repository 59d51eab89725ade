import type { ReactNode } from "react";
import type { ProgrammeEntry } from "#domain/programme.ts";
import { deadlinesCell, feesCell, intakesCell } from "#domain/programme-cells.ts";
import { TextAreaField } from "../../ui/form/fields.tsx";
import classes from "./line-fields.module.css";

const lines = (cell: string): string => cell.replaceAll("; ", "\n");

/** Explains a field that takes one entry a line, with examples that can be typed as shown. */
const LineHelp = ({ examples, children }: { examples: readonly string[]; children: ReactNode }) => (
  <>
    {children}
    <span className={classes.examples}>
      {examples.map((line) => (
        <code key={line} className={classes.line}>
          {line}
        </code>
      ))}
    </span>
  </>
);

/** The fields for the intakes, deadlines and fees of a programme, which are entered as lines. */
export const LineFields = ({ entry }: { entry: ProgrammeEntry | undefined }) => (
  <>
    <TextAreaField
      optional
      name="intakes"
      label="Intakes (optional)"
      maxLength={2000}
      defaultValue={lines(intakesCell(entry?.intakes ?? []))}
      description={
        <LineHelp examples={["2027-09 open", "2028-01 not yet"]}>
          One start a line: its year and month, then open, not yet, closed or full.
        </LineHelp>
      }
    />
    <TextAreaField
      optional
      name="deadlines"
      label="Deadlines (optional)"
      maxLength={8000}
      defaultValue={lines(deadlinesCell(entry?.intakes ?? []))}
      description={
        <LineHelp
          examples={[
            "2027-09 apply by 2027-06-30 17:00",
            "2027-09 apply by 2027-05-31 17:00 for West Africa",
            "2027-09 documents by 2027-07-15 soft",
          ]}
        >
          One a line: the intake that it belongs to, then apply by, documents by, deposit by or visa papers
          by, and the day. A time is optional, and on the institution's clock. Add “soft” if late ones are
          accepted too, and “for” with a group of nationalities if the deadline is theirs alone.
        </LineHelp>
      }
    />
    <TextAreaField
      optional
      name="fees"
      label="Fees (optional)"
      maxLength={4000}
      defaultValue={lines(feesCell(entry?.fees ?? []))}
      description={
        <LineHelp
          examples={[
            "tuition 14500.00 GBP a year 2026/27 international",
            "deposit 2000 GBP whole programme 2026/27 all",
          ]}
        >
          One a line: tuition, application, deposit, accommodation or other; the amount in plain digits and
          its currency; a year or whole programme; the academic year; and international, home or all for the
          students who pay it.
        </LineHelp>
      }
    />
  </>
);
