import type { ReactNode } from "react";
import type { ProgrammePage } from "#contract/programmes.ts";
import { calendarDate } from "#domain/calendar-date.ts";
import { takesApplications } from "#domain/intake.ts";
import {
  type FeeKind,
  feeKindLabels,
  feeKinds,
  type IntakeDeadlineKind,
  intakeDeadlineKinds,
  intakeDeadlineLabels,
  listedTuition,
  startDay,
  startMonth,
  studyFieldLabels,
  studyModeLabels,
  teachingLanguageLabels,
} from "#domain/programme.ts";
import {
  academicYearWords,
  durationWords,
  feePeriodWords,
  feeWords,
  intakeWords,
  placeWords,
} from "#domain/programme-words.ts";
import { requirementWords } from "#domain/requirement.ts";
import { formatDay } from "../../../lib/format-date.ts";
import { aboutWords } from "../programme/fees.tsx";
import { OwnDeadlines, OwnWays } from "./own-ways.tsx";

/** A row of a comparison. Two programmes differ in it if `key` returns different texts. */
export type Row = {
  label: string;
  key: (programme: ProgrammePage) => string;
  cell: (programme: ProgrammePage) => ReactNode;
};
export type RowGroup = { title: string; rows: readonly Row[] };

const plain = (label: string, text: (programme: ProgrammePage) => string): Row => ({
  label,
  key: text,
  cell: text,
});

/** Returns the intake of a programme that a comparison shows. */
type IntakeOf = (programme: ProgrammePage) => ProgrammePage["intakes"][number] | undefined;

/** Returns the row of one kind of deadline of the programmes' starts, on both clocks. */
const deadlineRow = (kind: IntakeDeadlineKind, intakeOf: IntakeOf): Row => {
  const deadlinesOf = (programme: ProgrammePage) =>
    (intakeOf(programme)?.deadlines ?? []).filter((each) => each.kind === kind);
  return {
    label: intakeDeadlineLabels[kind],
    key: (programme) =>
      deadlinesOf(programme)
        .map(({ at, group }) => `${at.getTime()} ${group}`)
        .join(),
    cell: (programme) => (
      <OwnDeadlines programme={programme} deadlines={deadlinesOf(programme)} kind={kind} />
    ),
  };
};

/** Returns the row of the newest fee of a kind for students from abroad, as published and in rand. */
function feeRow(kind: FeeKind): Row {
  const newestOf = ({ fees }: ProgrammePage) =>
    fees
      .filter((fee) => fee.kind === kind && fee.audience !== "home")
      .toSorted((one, other) => other.academicYear - one.academicYear)[0] ?? null;
  const feeOf = (programme: ProgrammePage) =>
    kind === "tuition" ? listedTuition(programme.fees) : newestOf(programme);
  return {
    label: feeKindLabels[kind],
    key: (programme) => {
      const fee = feeOf(programme);
      return fee ? `${fee.amount} ${fee.currency} ${fee.per}` : "";
    },
    cell: (programme) => {
      const fee = feeOf(programme);
      if (!fee) return "Not known";
      const about = aboutWords(fee, programme.rates);
      return (
        <>
          <strong>{feeWords(fee.amount, fee.currency)}</strong> {feePeriodWords(fee)},{" "}
          {academicYearWords(fee.academicYear)}
          {about && ` (${about})`}
        </>
      );
    },
  };
}

/**
 * Returns the rows of a comparison, for the start in a month (YYYY-MM) if it takes applications, or else for the next
 * one. Fees and deadlines that none of the programmes has are left out.
 */
export function rowGroups(programmes: readonly ProgrammePage[], start: string | null, now: Date): RowGroup[] {
  const isOfMonth = (intake: ProgrammePage["intakes"][number]) =>
    startMonth(intake) === start && takesApplications(intake, now);
  const intakeOf: IntakeOf = ({ intakes, nextIntakeId }) =>
    intakes.find(isOfMonth) ?? intakes.find(({ id }) => id === nextIntakeId);
  const kindsOfFees = feeKinds.filter((kind) =>
    programmes.some(({ fees }) => fees.some((fee) => fee.kind === kind)),
  );
  const kindsOfDeadlines = intakeDeadlineKinds.filter((kind) =>
    programmes.some((programme) => intakeOf(programme)?.deadlines.some((deadline) => deadline.kind === kind)),
  );
  return [
    {
      title: "Time",
      rows: [
        plain("Takes", ({ months }) => durationWords(months)),
        plain(
          programmes.some(({ intakes }) => intakes.some(isOfMonth)) ? "Start" : "Next start",
          (programme) => {
            const intake = intakeOf(programme);
            return intake ? intakeWords(intake) : "None announced";
          },
        ),
        plain(
          "All starts",
          ({ intakes }) =>
            intakes
              .filter((intake) => startDay(intake) > calendarDate(now))
              .map(intakeWords)
              .join(", ") || "None announced",
        ),
        ...kindsOfDeadlines.map((kind) => deadlineRow(kind, intakeOf)),
      ],
    },
    { title: "Money", rows: (kindsOfFees.length > 0 ? kindsOfFees : ["tuition" as const]).map(feeRow) },
    {
      title: "Requirements",
      rows: [
        {
          label: "One of these ways",
          key: ({ requirementSets }) =>
            requirementSets.map((set) => set.map(requirementWords).join("; ")).join(" or "),
          cell: (programme) => <OwnWays programme={programme} intake={intakeOf(programme)} />,
        },
      ],
    },
    {
      title: "Place and study",
      rows: [
        plain("Place", ({ institution }) => placeWords(institution)),
        plain("Level", ({ level }) => level),
        plain("Award", ({ award }) => award || "Not known"),
        plain("Field", ({ field }) => studyFieldLabels[field]),
        plain("Mode", ({ mode }) => studyModeLabels[mode]),
        plain("Language", ({ language }) => teachingLanguageLabels[language]),
        plain("Checked on", ({ checkedOn }) => formatDay(checkedOn)),
      ],
    },
  ];
}
