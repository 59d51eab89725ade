import type { SaleStanding } from "#contract/sale-views.ts";
import { otherSide, type SaleAnswer, type SaleClaim, type SaleSide, type SaleState } from "#domain/sale.ts";
import { claimTexts } from "#domain/sale-texts.ts";
import type { Tone } from "../../../ui/state-badge.tsx";

export const saleBadges: Record<SaleState, { label: string; tone: Tone }> = {
  awaiting: { label: "Handover awaited", tone: "going" },
  handedOver: { label: "Handed over", tone: "good" },
  fellThrough: { label: "Fell through", tone: "ended" },
  disputed: { label: "Disputed", tone: "asks" },
};

/** Labels of the buttons that report the other side. */
export const claimLabels: Record<SaleClaim, string> = {
  notPaid: "Not paid",
  noAnswer: "No answer",
  notAsDescribed: "Not as described",
  withdrawn: "They withdrew",
};

export const answerLabels: Record<SaleAnswer, string> = {
  done: "It's done",
  later: "It will be done",
  untrue: "That isn't true",
};

/** A sale from the view of one of its sides; `other` is null once the other side's account is gone. */
export type SideOfSale = SaleStanding & { side: SaleSide; other: { name: string } | null };
type Words = { state: string; wait: string | null };

/**
 * Describes the state of a sale: what its sides said, and what happens if they say nothing. Wayfare sees no money, so
 * it states no facts of its own. `format` formats a moment.
 */
export function saleWords(sale: SideOfSale, format: (moment: Date) => string): Words {
  const other = sale.other?.name ?? (sale.side === "seller" ? "The buyer" : "The seller");
  const due = sale.dueAt && format(sale.dueAt);
  switch (sale.state) {
    case "handedOver":
      return {
        state:
          sale.sellerSaidAt && sale.buyerSaidAt
            ? "Both of you say that it was handed over."
            : "It counts as handed over.",
        wait: null,
      };
    case "disputed":
      return { state: disputeWords(sale, other), wait: "An administrator decides. Both of you read why." };
    case "fellThrough":
      return { state: `The sale fell through. ${faultWords(sale, other)}`.trim(), wait: null };
    case "awaiting":
      return awaitingWords(sale, other, due);
  }
}

function disputeWords({ report, side }: SideOfSale, other: string): string {
  if (!report) return "You say different things.";
  const claim = claimTexts[report.claim];
  return report.by === side
    ? `You say: ${claim}. ${other} says that this isn't true.`
    : `${other} says: ${claim}. You say that this isn't true.`;
}

function faultWords({ fault, side, other: account }: SideOfSale, other: string): string {
  if (fault === null) return "It's nobody's fault.";
  if (fault === side) return "That counts against you.";
  return account === null ? `${other} can't be reached any more.` : `That counts against ${other}.`;
}

function awaitingWords(sale: SideOfSale, other: string, due: string | null): Words {
  const { report, side } = sale;
  if (report && (report.answer === null || report.answer === "later")) {
    const claim = claimTexts[report.claim];
    const promised = report.answer === "later";
    if (report.by === side)
      return {
        state: `You say: ${claim}.${promised ? ` ${other} promises it by ${due}.` : ""}`,
        wait: promised ? null : `${other} has until ${due} to answer.`,
      };
    return {
      state: `${other} says: ${claim}.${promised ? ` You promised it by ${due}.` : ""}`,
      wait: promised
        ? "If you say nothing more by then, the sale falls through, which counts as a strike."
        : `Please answer by ${due}. Without an answer the sale falls through, which counts as a strike.`,
    };
  }
  const ownSaid = side === "seller" ? sale.sellerSaidAt : sale.buyerSaidAt;
  const otherSaid = otherSide(side) === "seller" ? sale.sellerSaidAt : sale.buyerSaidAt;
  if (ownSaid)
    return { state: "You say that it was handed over.", wait: `${other} has until ${due} to agree.` };
  if (otherSaid)
    return {
      state: `${other} says that it was handed over.`,
      wait: `If you say nothing by ${due}, it counts as handed over. Until then you can say what is wrong.`,
    };
  const answered = report?.answer === "done";
  const sentence =
    answered && report.by === side ? `${other} says that it's done.` : "You say that it's done.";
  return {
    state: answered ? sentence : "The item hasn't been handed over yet.",
    wait: "Once it has, both of you say so here.",
  };
}
