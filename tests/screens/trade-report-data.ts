import { answered } from "./screen.ts";

const longName = "Bartholomew-Maximilian Featherstonehaugh-Cholmondeley";

const reported = (at: number, changes: object) => ({
  id: `7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f6d0${at}`,
  subject: "product",
  reason: "misdescribed",
  text: "",
  at: new Date("2026-11-20T09:00:00.000Z"),
  question: null,
  product: { id: "7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f6e01", name: "Walnut writing desk", state: "open" },
  account: {
    id: "s1",
    name: longName,
    email: "bartholomew.featherstonehaugh-cholmondeley@students.example.org",
  },
  reporter: { id: "s2", name: "Ada Obi", email: "ada.obi@example.org" },
  answer: null,
  ...changes,
});
const tradeReports = (...rows: readonly object[]) =>
  answered("/rpc/tradeReports/list", { reports: rows, next: null });
export const openReports = tradeReports(
  reported(1, {}),
  reported(2, {
    subject: "seller",
    reason: "other",
    text: `They ask to be paid before anybody may look at it.\nSee ${"averylongaddress".repeat(12)}`,
    product: null,
    account: null,
  }),
  reported(3, { product: { id: "p3", name: "Fake watch", state: "removed" }, reporter: null }),
  reported(4, {
    subject: "question",
    reason: "abuse",
    question: {
      id: "7d7c1c0e-4f0a-4b7e-9d3e-0e6f5b1f6f01",
      text: `Who would pay that for such rubbish?\n${"Averylongword".repeat(12)}`,
      answer: "Please be kind.",
      isHidden: false,
    },
  }),
);
export const answeredReports = tradeReports(
  reported(1, {
    answer: {
      outcome: "acted",
      text: "We asked the seller, who has put it right.",
      at: new Date("2026-11-21T09:00:00.000Z"),
      by: "Rosa Admin",
    },
  }),
);
const someone = (at: number) => ({
  id: `s${at}`,
  name: at === 1 ? longName : "Ada Obi",
  email: `ada.obi.${at}@example.org`,
});
export const pairs = (...rows: readonly object[]) => answered("/rpc/tradeReports/pairs", { pairs: rows });
export const somePairs = pairs(
  {
    seller: someone(1),
    bidder: someone(2),
    common: 12,
    all: 13,
    won: 0,
    narrow: 11,
    signs: ["oneSeller", "neverWon", "sameNetwork", "madeTogether", "narrowlyBeaten"],
  },
  {
    seller: someone(3),
    bidder: someone(1),
    common: 3,
    all: 4,
    won: 0,
    narrow: 0,
    signs: ["oneSeller", "neverWon"],
  },
);
