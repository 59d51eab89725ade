import { expect, test } from "vitest";
import { enteredByName } from "./on-behalf.ts";

test("an agent is named with the agency, an admin without, and a deleted account without a name", () => {
  expect(enteredByName({ name: "Kofi Mensah", agency: "North Star" })).toBe("Kofi Mensah, North Star");
  expect(enteredByName({ name: "Ada Obi", agency: "" })).toBe("Ada Obi");
  expect(enteredByName({ name: null, agency: "" })).toBe("somebody whose account is gone");
});
