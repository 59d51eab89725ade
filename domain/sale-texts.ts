import { type SaleClaim, type SaleRefusal, saleTimes } from "#domain/sale.ts";

export const saleRefusals: Record<SaleRefusal, string> = {
  over: "This sale is settled. Nothing about it can be changed any more.",
  tooEarly: "Please give them 72 hours after the sale before you report it.",
  tooLate: "A sale can be reported for 30 days. That time is over.",
  alreadyReported: "Please answer the report about this sale first.",
  saidSo: "You have said that it was handed over.",
  notYours: "This can't be said of them.",
  notReported: "There is no report for you to answer.",
  usedUp: "You have given this answer before. Please choose another one.",
  notADay: `Please choose a day within the next ${saleTimes.promiseDays} days.`,
};

export const claimTexts: Record<SaleClaim, string> = {
  notPaid: "not paid",
  noAnswer: "no answer",
  notAsDescribed: "not as described",
  withdrawn: "withdrew from the sale",
};
