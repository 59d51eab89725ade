/** What helps to fill in a field stands below it, so that the fields of a pair are in line. */
export const hintBelow: ("label" | "input" | "description" | "error")[] = [
  "label",
  "input",
  "description",
  "error",
];
