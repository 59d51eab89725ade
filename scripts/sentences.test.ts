import { expect, test } from "vitest";
import { findings } from "./sentences.ts";

const texts = (source: string) => findings("a.ts", source).map(({ text }) => text);

test.each([
  "/** Of an item that nobody bid for nothing needs to stay. */",
  "/**\n * What comes of an upload.\n */",
  "// The same for Redis.",
  "// As the menu does.",
])("finds a comment without a subject: %s", (comment) => {
  expect(texts(`${comment}\nexport const a = 1;`)).toHaveLength(1);
});

test.each([
  "/** Items without bids are deleted entirely. */",
  "/** Whether the account is active. */",
  "// Asks again under the lock.\n// What follows is part of the same comment.",
  "// Only a denied agent's record is ever deleted.",
])("accepts a comment with a subject or an imperative: %s", (comment) => {
  expect(texts(`${comment}\nexport const a = 1;`)).toEqual([]);
});

test("finds a second comment after a line of code or an empty line", () => {
  expect(texts("// Asks again.\n\n// What for.\nf(); // Of all.\n")).toEqual(["What for.", "Of all."]);
});

test.each([
  ["declarations", "const found = 1;\nlet given;\nfor (const kept of f()) g();", ["found", "given", "kept"]],
  ["destructured locals", "const [shown, { at: told }, ...sent] = f();", ["shown", "told", "sent"]],
  [
    "parameters",
    "const f = (seen, { id: made = 1 }) => {};\nfunction g(...said) {}",
    ["seen", "made", "said"],
  ],
  [
    "parameters of methods",
    "class A { constructor(private stored: string) {}\n  b(taken = 1) {} }",
    ["stored", "taken"],
  ],
  [
    "parameters of types",
    "type F = (asked: string) => void;\ntype G = { h(typed: string): void };",
    ["asked", "typed"],
  ],
])("finds %s that are named for how they were obtained", (_, source, names) => {
  expect(texts(source)).toEqual(names);
});

test.each([
  "const student = found;\nconst foundation = 2;\ncall(given);",
  "const { sent, made = 1 } = report;\nconst f = ({ kept }) => kept;",
  "const { sent: time } = report;\nreport.seen = { known: 1 };",
  'const title = "const found = 1";',
  "const combine = (left, right) => left + right;\nconst [left, right] = halves;",
])("accepts other names, names of properties, and sides: %s", (source) => {
  expect(texts(source)).toEqual([]);
});

test("finds types whose names are no nouns, and accepts names with a noun", () => {
  const types = "type Asked = string;\ninterface Stored {}\nclass Wrong {}\ntype StoredFile = object;\n";
  expect(texts(types)).toEqual(["Asked", "Stored", "Wrong"]);
});

test("finds test titles without a subject", () => {
  const titles = ["what was read stays", "not %s", "a page is not found"].map((title) =>
    JSON.stringify(title),
  );
  expect(texts(`test(${titles[0]}); test.each([1])(${titles[1]}); test(${titles[2]});`)).toEqual([
    "what was read stays",
    "not %s",
  ]);
});
