import { expect, test } from "vitest";
import { recordText } from "./sale-record.ts";

test.each([
  [{ handedOver: 2, of: 2, medianDays: 2 }, null],
  [{ handedOver: 3, of: 3, medianDays: 1.9 }, "Handed over 3 of 3, median 2 days"],
  [{ handedOver: 3, of: 4, medianDays: 1.2 }, "Handed over 3 of 4, median 1 day"],
  [{ handedOver: 12, of: 12, medianDays: 0.4 }, "Handed over 12 of 12, median under a day"],
  [{ handedOver: 0, of: 3, medianDays: null }, "Handed over 0 of 3"],
])("the record %j reads %s", (record, words) => expect(recordText(record)).toBe(words));
