import { type Remark, says } from "./catalogue.ts";

/** A seller's description, which fits all kinds of things unless `kinds` names categories or subcategories. */
type Description = Remark & { kinds?: readonly string[] };

export const descriptions: readonly Description[] = [
  says("A present that I have never used. It's still in its box, with everything that came in it.", "New"),
  says("I bought two by mistake and kept this one unopened. The receipt comes with it.", "New"),
  says(
    "Hardly used and kept with care: you won't find a mark on it. Tested before this was written.",
    "Grade A+",
  ),
  says(
    "Kept in a smoke-free home, and all parts are there.\n\nCan be seen any weekday after five; please write first.",
    "Grade A+",
    "Grade A",
  ),
  says(
    "Bought for my first year and well looked after. You see that it was used only if you look closely.",
    "Grade A",
  ),
  says("I'm moving abroad in September and can't take it with me. It comes with what is shown.", "Grade A"),
  says(
    "Used for two semesters, and the pictures show it: scratches and faded spots. Cleaned and checked before this was written.",
    "Grade B",
  ),
  {
    ...says("From my grandmother's flat. It has its years, and it wears them well.", "Grade B"),
    kinds: ["Furniture", "Decor"],
  },
  {
    ...says(
      "Switches itself off after a few minutes: for parts, or for somebody who can repair it. Comes as it is.",
      "Grade C",
    ),
    kinds: ["electronics"],
  },
  {
    ...says(
      "Leaks a little and needs a new seal. For somebody who likes to repair; comes as it is.",
      "Grade C",
    ),
    kinds: ["Appliances"],
  },
  {
    ...says(
      "Heavily worn, with a crack that I have glued. It holds, but it shows. Comes as it is.",
      "Grade C",
    ),
    kinds: ["Furniture", "Decor"],
  },
  {
    ...says(
      "Worn a lot: one seam is open, and a stain didn't come out. For somebody who sews; comes as it is.",
      "Grade C",
    ),
    kinds: ["fashion"],
  },
];

export const handovers: readonly string[] = [
  "",
  "",
  "Collect in Rosebank, Johannesburg",
  "Collect in Observatory, Cape Town",
  "Courier at the buyer's cost",
  "Collect near the university in Hatfield, Pretoria, weekends only",
];

/** Ways of delivery, as a form has them. */
export const deliveries: readonly { collectionPlace: string; courier: string }[] = [
  { collectionPlace: "Cape Town", courier: "" },
  { collectionPlace: "Johannesburg", courier: "99" },
  { collectionPlace: "Stellenbosch", courier: "120" },
  { collectionPlace: "", courier: "85.50" },
  { collectionPlace: "", courier: "0" },
  { collectionPlace: "", courier: "" },
];
