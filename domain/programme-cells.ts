import { type Currency, currencies, moneyInput, parseMoney } from "#domain/currency.ts";
import {
  type Fee,
  type FeeAudience,
  type FeeKind,
  type FeePeriod,
  feeAudiences,
  feeKinds,
  type IntakeDeadline,
  type IntakeDeadlineKind,
  type IntakeEntry,
  type IntakeState,
  intakeDeadlineKinds,
  intakeStates,
  programmeLimits,
  startDay,
} from "#domain/programme.ts";

/** A cell that can't be read, and why. */
export type CellProblem = { problem: string };

const stateWords: Record<IntakeState, string> = {
  open: "open",
  notYet: "not yet",
  closed: "closed",
  full: "full",
};
const deadlineWords: Record<IntakeDeadlineKind, string> = {
  applyBy: "apply by",
  documentsBy: "documents by",
  depositBy: "deposit by",
  visaPapersBy: "visa papers by",
};
const periodWords: Record<FeePeriod, string> = { year: "a year", whole: "whole programme" };

const partsOf = (cell: string): string[] =>
  cell
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");

const monthOf = (intake: Pick<IntakeEntry, "year" | "month">): string => startDay(intake).slice(0, 7);

/** Writes intakes for a cell, such as `2027-09 open; 2028-01 not yet`. */
export const intakesCell = (intakes: readonly IntakeEntry[]): string =>
  intakes.map((intake) => `${monthOf(intake)} ${stateWords[intake.state]}`).join("; ");

const deadlineCell = (intake: IntakeEntry, { kind, group, date, time, hard }: IntakeDeadline): string =>
  [
    monthOf(intake),
    deadlineWords[kind],
    date,
    ...(time === null ? [] : [time]),
    ...(hard ? [] : ["soft"]),
    ...(group === null ? [] : [`for ${group}`]),
  ].join(" ");

/** Writes the deadlines of intakes for a cell, such as `2027-09 apply by 2027-06-30 17:00 for West Africa`. */
export const deadlinesCell = (intakes: readonly IntakeEntry[]): string =>
  intakes.flatMap((intake) => intake.deadlines.map((each) => deadlineCell(intake, each))).join("; ");

const academicYear = (year: number): string => `${year}/${String((year + 1) % 100).padStart(2, "0")}`;

/** Writes fees for a cell, such as `tuition 14500 GBP a year 2026/27 international`. */
export const feesCell = (fees: readonly Fee[]): string =>
  fees
    .map(
      ({ kind, amount, currency, per, academicYear: year, audience }) =>
        `${kind} ${moneyInput({ amount, currency })} ${currency} ${periodWords[per]} ${academicYear(year)} ${audience}`,
    )
    .join("; ");

const named = <Name extends string>(
  words: Readonly<Record<Name, string>>,
  names: readonly Name[],
  text: string,
) => names.find((name) => words[name] === text.toLowerCase());

type Start = { year: number; month: number; state: IntakeState; deadlines: IntakeDeadline[] };

function readIntake(part: string): Start | null {
  const match = /^(\d{4})-(\d{2})\s+(.+)$/.exec(part);
  const state = named(stateWords, intakeStates, match?.[3] ?? "");
  return match && state ? { year: Number(match[1]), month: Number(match[2]), state, deadlines: [] } : null;
}

const deadlineForm =
  /^(\d{4}-\d{2})\s+(apply by|documents by|deposit by|visa papers by)\s+(\d{4}-\d{2}-\d{2})(?:\s+(\d{2}:\d{2}))?(\s+soft)?(?:\s+for\s+(.+))?$/i;

function readDeadline(part: string): { month: string; deadline: IntakeDeadline } | null {
  const match = deadlineForm.exec(part);
  const kind = named(deadlineWords, intakeDeadlineKinds, match?.[2] ?? "");
  if (!match || !kind) return null;
  const [, month = "", , date = "", time = null, soft, group = null] = match;
  return { month, deadline: { kind, group, date, time, hard: soft === undefined } };
}

/** Reads the cells of intakes and of their deadlines. */
export function readIntakes(cell: string, deadlines: string): IntakeEntry[] | CellProblem {
  const intakes: Start[] = [];
  for (const part of partsOf(cell)) {
    const intake = readIntake(part);
    if (!intake) return { problem: `Intakes: “${part}” isn't like “2027-09 open”.` };
    intakes.push(intake);
  }
  for (const part of partsOf(deadlines)) {
    const line = readDeadline(part);
    if (!line) return { problem: `Deadlines: “${part}” isn't like “2027-09 apply by 2027-06-30 17:00”.` };
    const intake = intakes.find((each) => monthOf(each) === line.month);
    if (!intake) return { problem: `Deadlines: there is no intake in ${line.month}.` };
    intake.deadlines.push(line.deadline);
  }
  return intakes;
}

const isCurrency = (text: string): text is Currency => currencies.some((currency) => currency === text);
const isKind = (text: string): text is FeeKind => feeKinds.some((kind) => kind === text);
const isAudience = (text: string): text is FeeAudience => feeAudiences.some((audience) => audience === text);

const feeForm =
  /^(\w+)\s+(\d+(?:\.\d+)?)\s+([A-Z]{3})\s+(a year|whole programme)\s+(\d{4})(?:\/(\d{2}))?\s+(\w+)$/;

function readFee(part: string): Fee | null {
  const match = feeForm.exec(part);
  if (!match) return null;
  const [, kind = "", digits = "", currency = "", per, year = "", next, audience = ""] = match;
  if (!isKind(kind) || !isCurrency(currency) || !isAudience(audience)) return null;
  if (next !== undefined && Number(next) !== (Number(year) + 1) % 100) return null;
  const money = parseMoney(digits, currency, programmeLimits.fee);
  if (money.kind === "problem") return null;
  return {
    kind,
    amount: money.money.amount,
    currency,
    per: per === "a year" ? "year" : "whole",
    academicYear: Number(year),
    audience,
  };
}

/** Reads a cell of fees. Amounts are plain digits with as many decimals as the currency has. */
export function readFees(cell: string): Fee[] | CellProblem {
  const fees: Fee[] = [];
  for (const part of partsOf(cell)) {
    const fee = readFee(part);
    if (!fee)
      return { problem: `Fees: “${part}” isn't like “tuition 14500.00 GBP a year 2026/27 international”.` };
    fees.push(fee);
  }
  return fees;
}
