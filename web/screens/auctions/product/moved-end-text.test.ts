import { expect, test } from "vitest";
import { movedEndText } from "./moved-end-text.ts";

const at = (time: string) => Date.parse(`2026-11-21T${time}Z`);
const format = (time: Date) => time.toISOString().slice(11, 19);
const plannedEnd = at("20:00:00");
const latestEnd = at("21:00:00");

test.each([
  ["a fixed end that hasn't moved", { endDate: plannedEnd, latestEnd: null }, null],
  [
    "a fixed end that a withdrawal has moved",
    { endDate: at("23:30:00"), latestEnd: null },
    "The end has moved, since the highest bid was withdrawn or voided.",
  ],
  [
    "an end that late bids may move",
    { endDate: plannedEnd, latestEnd },
    "A bid in the last 2 minutes extends it.",
  ],
  [
    "an end that a late bid has moved",
    { endDate: at("20:04:10"), latestEnd },
    "Extended, ends 20:04:10, at the latest 21:00:00.",
  ],
  [
    "an end that moved by a millisecond",
    { endDate: plannedEnd + 1, latestEnd },
    "Extended, ends 20:00:00, at the latest 21:00:00.",
  ],
  [
    "the millisecond before the latest end",
    { endDate: latestEnd - 1, latestEnd },
    "Extended, ends 20:59:59, at the latest 21:00:00.",
  ],
  ["the latest end", { endDate: latestEnd, latestEnd }, "Extended to 21:00:00. Nothing extends it any more."],
])("describes %s", (_, ends, text) => {
  expect(movedEndText({ plannedEnd, ...ends }, format)).toBe(text);
});
