import { formatLongDate, formatLongMoment } from "#domain/date-format.ts";
import { otherSide, type SaleAct, type SaleChange, type SaleSide, saleSides } from "#domain/sale.ts";
import { claimTexts } from "#domain/sale-texts.ts";
import { strikeEnds } from "#domain/strike.ts";
import { productPath } from "#protocol/addresses.ts";
import type { NewNotification } from "#server/features/notifications/commands.ts";
import { accountOf, type LockedSale } from "./lock-sale.ts";

export const inUtc = (at: Date): string => `${formatLongMoment(at)} UTC`;

/** A change with its cause. `actor` is null if silence or an administrator decided. */
export type SaleChangeWithCause = {
  locked: LockedSale;
  change: SaleChange;
  number: number;
  actor: SaleSide | null;
  act: SaleAct | null;
  /** An administrator's reason. */
  reason: string;
  admins: readonly string[];
};

/** Returns the notifications of a change for the sides that didn't make it, and for admins who have to decide. */
export function notificationsOfChange({
  locked,
  change,
  number,
  actor,
  act,
  reason,
  admins,
}: SaleChangeWithCause): NewNotification[] {
  const { productId } = locked.row;
  const product = locked.productName;
  const shared = {
    eventKey: `sale:${locked.row.id}:${number}`,
    topic: `sale:${locked.row.id}`,
    ids: { productId },
    path: productPath(productId),
  };
  const to = (side: SaleSide) => {
    const userId = accountOf(locked.row, side);
    return userId !== null && locked.access[side] ? [{ ...shared, userId }] : [];
  };
  const strikeOf = (side: SaleSide) =>
    change.strike === side ? { strike: formatLongDate(strikeEnds(locked.now)) } : {};
  const other = actor && otherSide(actor);
  const toOther = other ? to(other) : [];
  const who = actor ?? "seller";
  const { report, state, dueAt, fault } = change.sale;
  switch (change.event) {
    case "made":
      return [];
    case "reported":
      return toOther.map((each) => ({
        ...each,
        kind: "saleReported",
        about: {
          product,
          who,
          claim: report ? claimTexts[report.claim] : "",
          until: dueAt ? inUtc(dueAt) : "",
        },
      }));
    case "answered":
    case "disputed":
      return [
        ...toOther.map(
          (each): NewNotification => ({
            ...each,
            kind: "saleAnswered",
            about: { product, who, answer: answerWords(act, dueAt) },
          }),
        ),
        ...admins.map(
          (userId): NewNotification => ({
            ...shared,
            topic: `dispute:${locked.row.id}`,
            userId,
            kind: "saleDisputed",
            about: { product },
            path: "/admin/disputes",
          }),
        ),
      ];
    case "saidHandedOver":
      return toOther.map((each) => ({
        ...each,
        kind: "saleHandedOver",
        about: { product, ...(state === "awaiting" && { who }) },
      }));
    case "agreedBySilence":
      return saleSides.flatMap(to).map((each) => ({ ...each, kind: "saleHandedOver", about: { product } }));
    case "silent":
    case "promiseBroken":
    case "accountLost":
      return saleSides.flatMap((side) =>
        to(side).map((each) => ({
          ...each,
          kind: "saleFellThrough",
          about: {
            product,
            ...(change.event !== "accountLost" && fault && { fault }),
            ...(change.event === "promiseBroken" && { promised: "yes" }),
            ...strikeOf(side),
            ...(side === "seller" && fault === "buyer" && { again: "yes" }),
          },
        })),
      );
    case "decided":
      return saleSides.flatMap((side) =>
        to(side).map((each) => ({
          ...each,
          kind: "saleDecided",
          about: {
            product,
            outcome: state === "handedOver" ? "handed over" : "the sale fell through",
            reason,
            ...strikeOf(side),
          },
        })),
      );
  }
}

function answerWords(act: SaleAct | null, dueAt: Date | null): string {
  if (act?.kind !== "answer") return "";
  if (act.answer === "done") return "it's done";
  if (act.answer === "untrue") return "that isn't true. An administrator decides";
  return `it will be done by ${dueAt ? inUtc(dueAt) : "then"}`;
}
