import { readFileSync } from "node:fs";
import {
  type BindingIdentifier,
  type BindingPattern,
  type ParamPattern,
  type Program,
  parseSync,
  Visitor,
} from "oxc-parser";
import { modulesIn } from "./imports.ts";
import { layers } from "./layers.ts";

/** A comment with one of these beginnings has no subject: it describes something that it does not name. */
const headless = /^(Of|The same|What|Whom|Whose|Who|Where|As|Nor|In which|By which|For whom?)\b/;

/** Names that say how a value was obtained, not what it is. */
const vague = new Set(
  "asked checked chosen counted found given judged kept known left listed made named put said seen sent shown stored taken told typed wanted written".split(
    " ",
  ),
);

/** Names of types that are no nouns: the thing that they describe has no name. */
const nameless = new Set([
  ...vague,
  ..."accepted added asking compared decided described entered fetched fitting incoming invited judging locked notified opened placed prepared refused removed reported reviewed running saving sending signed sold standing submitted undecided waiting withdrawn who whose wrong".split(
    " ",
  ),
]);

/** A test title with one of these beginnings names no subject. */
const subjectless =
  /(?:\b(?:test|it)(?:\.\w+)?\(|\]\)\()\s*["`]((?:What|Whatever|Who|Whom|Whoever|Not|Nor)\b[^"`]*)/gi;

/** The lint's name of each kind of finding. */
const kinds = {
  comments: "comment without a subject",
  values: "value named for how it was come by",
  types: "type whose name is no noun",
  titles: "test title without a subject",
};

export type Finding = { kind: keyof typeof kinds; where: string; text: string };

/** Lists the names that a pattern declares. In `{ sent }` the name belongs to the property, so it doesn't count. */
function namesIn(pattern: ParamPattern | BindingPattern): BindingIdentifier[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern];
    case "ObjectPattern":
      return pattern.properties.flatMap((each) => {
        if (each.type === "RestElement") return namesIn(each);
        return each.shorthand ? [] : namesIn(each.value);
      });
    case "ArrayPattern":
      return pattern.elements.flatMap((each) => (each ? namesIn(each) : []));
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "RestElement":
      return namesIn(pattern.argument);
    case "TSParameterProperty":
      return namesIn(pattern.parameter);
  }
}

/** Lists the vague names among declarations and parameters. Beside `right`, `left` is a side. */
function vagueNames(program: Program): BindingIdentifier[] {
  const all: BindingIdentifier[] = [];
  const look = (patterns: readonly (ParamPattern | BindingPattern)[]) => {
    const names = patterns.flatMap(namesIn);
    const hasSides = names.some(({ name }) => name === "right");
    all.push(...names.filter(({ name }) => vague.has(name) && !(hasSides && name === "left")));
  };
  const lookAtParameters = ({ params }: { params: readonly ParamPattern[] }) => look(params);
  new Visitor({
    VariableDeclarator: ({ id }) => look([id]),
    FunctionDeclaration: lookAtParameters,
    FunctionExpression: lookAtParameters,
    ArrowFunctionExpression: lookAtParameters,
    TSDeclareFunction: lookAtParameters,
    TSEmptyBodyFunctionExpression: lookAtParameters,
    TSFunctionType: lookAtParameters,
    TSMethodSignature: lookAtParameters,
  }).visit(program);
  return all;
}

/** Lists the names of types and classes that are no nouns. */
function namelessTypes(program: Program): BindingIdentifier[] {
  const all: BindingIdentifier[] = [];
  const look = ({ id }: { id: BindingIdentifier | null }) => {
    if (id && nameless.has(id.name.toLowerCase())) all.push(id);
  };
  new Visitor({
    TSTypeAliasDeclaration: look,
    TSInterfaceDeclaration: look,
    ClassDeclaration: look,
  }).visit(program);
  return all;
}

/**
 * Lists the comments and test titles without a subject and the vaguely named values and types of one file. Consecutive
 * `//` lines are one comment.
 */
export function findings(file: string, source: string): Finding[] {
  const result = parseSync(file, source);
  const lineOf = (offset: number) => `${file}:${source.slice(0, offset).split("\n").length}`;
  const comments = result.comments
    .filter(({ type, start }, index, all) => {
      const before = all[index - 1];
      const between = before?.type === "Line" && type === "Line" ? source.slice(before.end, start) : "code";
      return !/^\s*$/.test(between) || between.split("\n").length > 2;
    })
    .map(({ value, start }) => ({ text: value.replace(/^[*\s]+/, ""), start }))
    .filter(({ text }) => headless.test(text))
    .map(
      ({ text, start }): Finding => ({
        kind: "comments",
        where: lineOf(start),
        text: text.split("\n", 1)[0] ?? "",
      }),
    );
  const values = vagueNames(result.program).map(
    ({ name, start }): Finding => ({ kind: "values", where: lineOf(start), text: name }),
  );
  const types = namelessTypes(result.program).map(
    ({ name, start }): Finding => ({ kind: "types", where: lineOf(start), text: name }),
  );
  const titles = [...source.matchAll(subjectless)].map(
    ({ 1: text = "", index }): Finding => ({ kind: "titles", where: lineOf(index), text }),
  );
  return [...comments, ...values, ...types, ...titles];
}

/** Returns the findings of the repository, or null where there are none. */
export function objectionToSentences(): string | null {
  const all = layers
    .flatMap((layer) => modulesIn(layer))
    .flatMap((file) => findings(file, readFileSync(file, "utf8")));
  if (all.length === 0) return null;
  return all.map(({ kind, where, text }) => `${where}  ${kinds[kind]}: ${text}`).join("\n");
}

if (import.meta.main) {
  for (const file of layers.flatMap((layer) => modulesIn(layer)))
    for (const { where, text } of findings(file, readFileSync(file, "utf8")))
      console.log(`${where}  ${text}`);
}
