import type { ReactNode } from "react";
import type { ProgrammePage } from "#contract/programmes.ts";
import {
  type FeeKind,
  feeKindLabels,
  feeKinds,
  type IntakeDeadlineKind,
  intakeDeadlineKinds,
  intakeDeadlineLabels,
  listedTuition,
  startDay,
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

/** A row of a comparison. Two programmes differ in it where `key` says different things. */
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

const nextIntake = ({ intakes, nextIntakeId }: ProgrammePage) =>
  intakes.find(({ id }) => id === nextIntakeId);

/** The deadlines of a kind of the programmes' next starts, in both clocks. */
const deadlineRow = (kind: IntakeDeadlineKind): Row => {
  const ofNext = (programme: ProgrammePage) =>
    (nextIntake(programme)?.deadlines ?? []).filter((each) => each.kind === kind);
  return {
    label: intakeDeadlineLabels[kind],
    key: (programme) =>
      ofNext(programme)
        .map(({ at, group }) => `${at.getTime()} ${group}`)
        .join(),
    cell: (programme) => <OwnDeadlines programme={programme} deadlines={ofNext(programme)} kind={kind} />,
  };
};

/** The newest fee of a kind for students from abroad, as it is published and in rand. */
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

/** Returns the rows of a comparison. Fees and deadlines that none of the programmes has are left out. */
export function rowGroups(programmes: readonly ProgrammePage[], today: string): RowGroup[] {
  const kindsOfFees = feeKinds.filter((kind) =>
    programmes.some(({ fees }) => fees.some((fee) => fee.kind === kind)),
  );
  const kindsOfDeadlines = intakeDeadlineKinds.filter((kind) =>
    programmes.some((programme) =>
      nextIntake(programme)?.deadlines.some((deadline) => deadline.kind === kind),
    ),
  );
  return [
    {
      title: "Time",
      rows: [
        plain("Takes", ({ months }) => durationWords(months)),
        plain("Next start", (programme) => {
          const next = nextIntake(programme);
          return next ? intakeWords(next) : "None announced";
        }),
        plain(
          "All starts",
          ({ intakes }) =>
            intakes
              .filter((intake) => startDay(intake) > today)
              .map(intakeWords)
              .join(", ") || "None announced",
        ),
        ...kindsOfDeadlines.map(deadlineRow),
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
          cell: (programme) => <OwnWays programme={programme} />,
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
