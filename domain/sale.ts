import { deadlineInstant, unknownZone } from "#domain/deadline.ts";
import { daysFrom, localTime } from "#domain/local-time.ts";

/** A sale after the hammer (docs/product.md, "After the hammer"). Wayfare sees no money, only what both sides say. */

const hour = 3_600_000;
const day = 24 * hour;

export const saleSides = ["seller", "buyer"] as const;
export type SaleSide = (typeof saleSides)[number];
export const otherSide = (side: SaleSide): SaleSide => (side === "seller" ? "buyer" : "seller");

export const saleKinds = ["auction", "secondChance"] as const;
export type SaleKind = (typeof saleKinds)[number];

export const saleStates = ["awaiting", "handedOver", "fellThrough", "disputed"] as const;
export type SaleState = (typeof saleStates)[number];

/** Claims about the other side; each side may make those in `claimsOf`. */
export const saleClaims = ["notPaid", "noAnswer", "notAsDescribed", "withdrawn"] as const;
export type SaleClaim = (typeof saleClaims)[number];
export const claimsOf: Record<SaleSide, readonly SaleClaim[]> = {
  seller: ["notPaid", "noAnswer", "withdrawn"],
  buyer: ["notAsDescribed", "noAnswer", "withdrawn"],
};

/** Answers to a report. Each side can give `done` and `later` once; `later` names a day. */
export const saleAnswers = ["done", "later", "untrue"] as const;
export type SaleAnswer = (typeof saleAnswers)[number];

/**
 * Milliseconds, except for `promiseDays`. A report can be made between the first two after the sale, or while the other
 * side's "handed over" waits for agreement.
 */
export const saleTimes = {
  reportFrom: 72 * hour,
  reportUntil: 30 * day,
  /** The time in which a report must be answered. */
  answer: 48 * hour,
  /** The time after which silence about the other side's "handed over" counts as agreement. */
  agreement: 7 * day,
  /** Most days until a promised day. */
  promiseDays: 7,
} as const;

/** A report, open until it is answered with `done` or `untrue`, or `settled` by its reporter. */
export type SaleReport = {
  by: SaleSide;
  claim: SaleClaim;
  at: Date;
  answer: SaleAnswer | "settled" | null;
};

/** A sale at one moment. */
export type Sale = {
  state: SaleState;
  madeAt: Date;
  sellerSaidAt: Date | null;
  buyerSaidAt: Date | null;
  /** The latest report. */
  report: SaleReport | null;
  /** The answers `done` and `later` that each side has used up. */
  used: Readonly<Record<SaleSide, readonly SaleAnswer[]>>;
  /** The moment at which silence decides; null while neither side has to answer. */
  dueAt: Date | null;
  /** The side at fault, if any. */
  fault: SaleSide | null;
};

export const newSale = (madeAt: Date): Sale => ({
  state: "awaiting",
  madeAt,
  sellerSaidAt: null,
  buyerSaidAt: null,
  report: null,
  used: { seller: [], buyer: [] },
  dueAt: null,
  fault: null,
});

export type SaleAct =
  | { kind: "handOver" }
  | { kind: "report"; claim: SaleClaim }
  | { kind: "answer"; answer: "done" | "untrue" }
  /** The promised day is `days` days ahead in `zone`, an IANA name. */
  | { kind: "answer"; answer: "later"; days: number; zone: string };

/** Events in the record of a sale. */
const saleEvents = [
  "made",
  "saidHandedOver",
  "reported",
  "answered",
  "disputed",
  "silent",
  "promiseBroken",
  "accountLost",
  "agreedBySilence",
  "decided",
] as const;
export type SaleEvent = (typeof saleEvents)[number];

/** `strike`: the side that gets one. */
export type SaleChange = { kind: "changed"; sale: Sale; event: SaleEvent; strike: SaleSide | null };
export type SaleRefusal =
  | "over"
  | "tooEarly"
  | "tooLate"
  | "alreadyReported"
  | "saidSo"
  | "notYours"
  | "notReported"
  | "usedUp"
  | "notADay";
/** `unchanged`: it was said before. */
export type SaleOutcome = SaleChange | { kind: "unchanged" } | { kind: "refused"; why: SaleRefusal };

/** Whether each side can log in and answer. */
export type SaleAccess = Readonly<Record<SaleSide, boolean>>;

const later = (moment: Date, milliseconds: number): Date => new Date(moment.getTime() + milliseconds);
const changed = (sale: Sale, event: SaleEvent, strike: SaleSide | null = null): SaleChange => ({
  kind: "changed",
  sale,
  event,
  strike,
});
const refused = (why: SaleRefusal): SaleOutcome => ({ kind: "refused", why });

/** Returns the report that waits for an answer or for a promised day, or null. */
export const openReport = ({ state, report }: Pick<Sale, "state" | "report">): SaleReport | null =>
  state === "awaiting" && report && (report.answer === null || report.answer === "later") ? report : null;

/** Returns the moment at which a side said that it was handed over. */
const saidAt = (sale: Pick<Sale, "sellerSaidAt" | "buyerSaidAt">, side: SaleSide): Date | null =>
  side === "seller" ? sale.sellerSaidAt : sale.buyerSaidAt;

/** Whether only one side has said that it was handed over, so that the other has to agree. */
const waitsForAgreement = ({ sellerSaidAt, buyerSaidAt }: Sale): boolean =>
  (sellerSaidAt === null) !== (buyerSaidAt === null);

const ended = (sale: Sale, state: SaleState, fault: SaleSide | null = null): Sale => ({
  ...sale,
  state,
  fault,
  dueAt: null,
});

/**
 * Decides what silence has led to by now, or returns null. Called before every act, so that no act depends on when the
 * server checked. A side whose account is lost gets no strike for its silence, since it had no chance to answer.
 */
export function applySilence(sale: Sale, now: Date, access: SaleAccess): SaleChange | null {
  if (sale.state !== "awaiting" || sale.dueAt === null || now < sale.dueAt) return null;
  const report = openReport(sale);
  if (!report) return changed(ended(sale, "handedOver"), "agreedBySilence");
  const reported = otherSide(report.by);
  if (!access[reported]) return changed(ended(sale, "fellThrough", reported), "accountLost");
  const event = report.answer === "later" ? "promiseBroken" : "silent";
  return changed(ended(sale, "fellThrough", reported), event, reported);
}

/** Decides an act of one side, after `applySilence`. `now` is the database's time under the lock of the sale. */
export function decideSaleAct(
  sale: Sale,
  side: SaleSide,
  act: SaleAct,
  { now, access }: { now: Date; access: SaleAccess },
): SaleOutcome {
  if (sale.state !== "awaiting") return refused("over");
  switch (act.kind) {
    case "handOver":
      return handOver(sale, side, now);
    case "report":
      return report(sale, side, act.claim, now, access);
    case "answer":
      return answer(sale, side, act, now);
  }
}

function handOver(sale: Sale, side: SaleSide, now: Date): SaleOutcome {
  if (saidAt(sale, side) !== null) return { kind: "unchanged" };
  const open = openReport(sale);
  if (open && open.by !== side) return refused("alreadyReported");
  const next: Sale = {
    ...sale,
    ...(side === "seller" ? { sellerSaidAt: now } : { buyerSaidAt: now }),
    report: open ? { ...open, answer: "settled" } : sale.report,
    dueAt: later(now, saleTimes.agreement),
  };
  return changed(waitsForAgreement(next) ? next : ended(next, "handedOver"), "saidHandedOver");
}

function report(sale: Sale, side: SaleSide, claim: SaleClaim, now: Date, access: SaleAccess): SaleOutcome {
  if (!claimsOf[side].includes(claim)) return refused("notYours");
  if (saidAt(sale, side) !== null) return refused("saidSo");
  if (openReport(sale)) return refused("alreadyReported");
  const other = otherSide(side);
  // No side has to wait for one that can't come back.
  if (!access[other]) return changed(ended(sale, "fellThrough", other), "accountLost");
  // Silence agrees to the other side's "handed over", so a report has to be possible then.
  if (!waitsForAgreement(sale)) {
    if (now < later(sale.madeAt, saleTimes.reportFrom)) return refused("tooEarly");
    if (now >= later(sale.madeAt, saleTimes.reportUntil)) return refused("tooLate");
  }
  const dueAt = later(now, saleTimes.answer);
  return changed({ ...sale, report: { by: side, claim, at: now, answer: null }, dueAt }, "reported");
}

function answer(
  sale: Sale,
  side: SaleSide,
  act: Extract<SaleAct, { kind: "answer" }>,
  now: Date,
): SaleOutcome {
  const open = openReport(sale);
  if (!open || open.by === side) return refused("notReported");
  if (act.answer === "untrue")
    return changed({ ...ended(sale, "disputed"), report: { ...open, answer: "untrue" } }, "disputed");
  if (sale.used[side].includes(act.answer)) return refused("usedUp");
  if (act.answer === "later" && !(act.days >= 1 && act.days <= saleTimes.promiseDays))
    return refused("notADay");
  const used = { ...sale.used, [side]: [...sale.used[side], act.answer] };
  const after = { ...sale, used, report: { ...open, answer: act.answer } };
  return changed({ ...after, dueAt: dueAfterAnswer(after, sale.dueAt, act, now) }, "answered");
}

/** Returns when silence decides after an answer. A promise never leaves less time than the report itself did. */
function dueAfterAnswer(
  after: Sale,
  before: Date | null,
  act: Extract<SaleAct, { kind: "answer" }>,
  now: Date,
): Date | null {
  if (act.answer === "later") {
    const promised = endOfPromise(act, now);
    return before && before > promised ? before : promised;
  }
  return waitsForAgreement(after) ? later(now, saleTimes.agreement) : null;
}

/** Returns the last millisecond of a promised day, so that the moment is shown as that day. */
function endOfPromise({ days, zone }: { days: number; zone: string }, now: Date): Date {
  const date = daysFrom(localTime(zone, now).date, days);
  return later(deadlineInstant({ date, time: null, zone }), -1);
}

/** Gives a side that regains access the whole time to answer again. Returns null if that changes nothing. */
export function restartAnswer(sale: Sale, side: SaleSide, now: Date): Sale | null {
  const open = openReport(sale);
  if (!open || open.by === side || sale.dueAt === null) return null;
  const dueAt = later(now, saleTimes.answer);
  return dueAt > sale.dueAt ? { ...sale, dueAt } : null;
}

/** An admin's decision about a dispute: what became of the sale, and whose fault it is. */
export const disputeEnds = ["handedOver", "fellThrough"] as const;
export type DisputeEnd = (typeof disputeEnds)[number];
export const disputeFaults = ["reported", "reporter", "nobody"] as const;
export type DisputeFault = (typeof disputeFaults)[number];

/** Decides a dispute. The side at fault gets a strike, also for a false report. */
export function decideDispute(
  sale: Sale,
  { end, fault }: { end: DisputeEnd; fault: DisputeFault },
): SaleOutcome {
  if (sale.state !== "disputed" || !sale.report) return refused("over");
  const { by } = sale.report;
  const side = fault === "nobody" ? null : fault === "reporter" ? by : otherSide(by);
  return changed(ended(sale, end, side), "decided", side);
}

/** Acts that a side's page offers now. */
export type PossibleSaleActs = {
  handOver: boolean;
  claims: readonly SaleClaim[];
  answers: readonly SaleAnswer[];
};

/** Returns the acts that `decideSaleAct` would accept. */
export function possibleActs(
  sale: Sale,
  side: SaleSide,
  moment: { now: Date; access: SaleAccess },
): PossibleSaleActs {
  const accepts = (act: SaleAct) => decideSaleAct(sale, side, act, moment).kind === "changed";
  return {
    handOver: accepts({ kind: "handOver" }),
    claims: claimsOf[side].filter((claim) => accepts({ kind: "report", claim })),
    answers: saleAnswers.filter((each) =>
      accepts(
        each === "later"
          ? { kind: "answer", answer: each, days: 1, zone: unknownZone }
          : { kind: "answer", answer: each },
      ),
    ),
  };
}
