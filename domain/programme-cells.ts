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

/** The problem of a cell that can't be parsed. */
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

/** Formats intakes for a cell, such as `2027-09 open; 2028-01 not yet`. */
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

/** Formats the deadlines of intakes for a cell, such as `2027-09 apply by 2027-06-30 17:00 for West Africa`. */
export const deadlinesCell = (intakes: readonly IntakeEntry[]): string =>
  intakes.flatMap((intake) => intake.deadlines.map((each) => deadlineCell(intake, each))).join("; ");

const academicYear = (year: number): string => `${year}/${String((year + 1) % 100).padStart(2, "0")}`;

/** Formats fees for a cell, such as `tuition 14500 GBP a year 2026/27 international`. */
export const feesCell = (fees: readonly Fee[]): string =>
  fees
    .map(
      ({ kind, amount, currency, per, academicYear: year, audience }) =>
        `${kind} ${moneyInput({ amount, currency })} ${currency} ${periodWords[per]} ${academicYear(year)} ${audience}`,
    )
    .join("; ");

const nameIn = <Name extends string>(
  words: Readonly<Record<Name, string>>,
  names: readonly Name[],
  text: string,
) => names.find((name) => words[name] === text.toLowerCase());

/** Joins words as a choice: "open, not yet, closed or full". */
const choiceOf = (words: readonly string[]): string => `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

type Start = { year: number; month: number; state: IntakeState; deadlines: IntakeDeadline[] };
type DeadlineLine = { month: string; deadline: IntakeDeadline };

/** Parses one intake, or returns what is wrong with it. */
function readIntake(part: string): Start | string {
  const [, year, month, rest = ""] = /^(\d{4})-(\d{2})(?:\s+(.+))?$/.exec(part) ?? [];
  if (year === undefined) return "must begin with a year and a month, such as 2027-09";
  const state = nameIn(stateWords, intakeStates, rest);
  return state
    ? { year: Number(year), month: Number(month), state, deadlines: [] }
    : `must say after the month ${choiceOf(Object.values(stateWords))}`;
}

const deadlinePattern = new RegExp(
  `^(\\d{4}-\\d{2})(?:\\s+(${Object.values(deadlineWords).join("|")})(?:\\s+(\\d{4}-\\d{2}-\\d{2})(.*))?)?`,
  "i",
);
const deadlineEndPattern = /^(?:\s+(\d{2}:\d{2}))?(\s+soft)?(?:\s+for\s+(.+))?$/i;

/** Parses one deadline, or returns what is wrong with it. */
function readDeadline(part: string): DeadlineLine | string {
  const [, month, kindWords, date, rest = ""] = deadlinePattern.exec(part) ?? [];
  if (month === undefined) return "must begin with the year and the month of its intake, such as 2027-09";
  const kind = nameIn(deadlineWords, intakeDeadlineKinds, kindWords ?? "");
  if (!kind) return `must say after the month ${choiceOf(Object.values(deadlineWords))}`;
  if (date === undefined) return "needs a day such as 2027-06-30, and may have a time such as 17:00";
  const end = deadlineEndPattern.exec(rest);
  if (!end) return "can only have a time such as 17:00, “soft” and “for” with a group after the day";
  const [, time = null, soft, group = null] = end;
  return { month, deadline: { kind, group, date, time, hard: soft === undefined } };
}

/** Parses the cells of intakes and of their deadlines. */
export function readIntakes(cell: string, deadlines: string): IntakeEntry[] | CellProblem {
  const intakes: Start[] = [];
  for (const part of partsOf(cell)) {
    const intake = readIntake(part);
    if (typeof intake === "string") return { problem: `Intakes: “${part}” ${intake}.` };
    intakes.push(intake);
  }
  for (const part of partsOf(deadlines)) {
    const line = readDeadline(part);
    if (typeof line === "string") return { problem: `Deadlines: “${part}” ${line}.` };
    const intake = intakes.find((each) => monthOf(each) === line.month);
    if (!intake) return { problem: `Deadlines: there is no intake in ${line.month}.` };
    intake.deadlines.push(line.deadline);
  }
  return intakes;
}

const isCurrency = (text: string): text is Currency => currencies.some((currency) => currency === text);
const isKind = (text: string): text is FeeKind => feeKinds.some((kind) => kind === text);
const isAudience = (text: string): text is FeeAudience => feeAudiences.some((audience) => audience === text);

const feePattern =
  /^(\S+)(?:\s+(\S+)\s+([A-Z]{3})(?:\s+(a year|whole programme)(?:\s+(\d{4})(?:\/(\d{2}))?(?:\s+(\S+))?)?)?)?/;

/** Parses one fee, or returns what is wrong with it. */
function readFee(part: string): Fee | string {
  const match = feePattern.exec(part);
  const [all = "", kind = "", digits = "", currency = "", per, year, next, audience = ""] = match ?? [];
  if (!isKind(kind)) return `must begin with ${choiceOf(feeKinds)}`;
  const amount = "needs an amount in plain digits and a currency after what it is for, such as 14500.00 GBP";
  if (!/^\d+(?:\.\d+)?$/.test(digits)) return amount;
  if (!isCurrency(currency)) return `has a currency that isn't one of ${currencies.join(", ")}`;
  const money = parseMoney(digits, currency, programmeLimits.fee);
  if (money.kind === "problem")
    return money.problem === "tooManyDecimals" ? `has more decimals than ${currency} has` : amount;
  if (per === undefined) return "must say “a year” or “whole programme” after the currency";
  if (year === undefined || (next !== undefined && Number(next) !== (Number(year) + 1) % 100))
    return "needs an academic year such as 2026/27";
  if (!isAudience(audience) || all.length < part.length) return `must end with ${choiceOf(feeAudiences)}`;
  return {
    kind,
    amount: money.money.amount,
    currency,
    per: per === "a year" ? "year" : "whole",
    academicYear: Number(year),
    audience,
  };
}

/** Parses a cell of fees. Amounts are plain digits with as many decimals as the currency has. */
export function readFees(cell: string): Fee[] | CellProblem {
  const fees: Fee[] = [];
  for (const part of partsOf(cell)) {
    const fee = readFee(part);
    if (typeof fee === "string") return { problem: `Fees: “${part}” ${fee}.` };
    fees.push(fee);
  }
  return fees;
}
