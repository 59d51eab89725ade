import type { DocumentKind, DocumentState } from "#domain/document.ts";
import { missingDocuments, type Slots } from "#domain/progress.ts";

/** The slot that a file's name suggests; `recommendation` when it doesn't say which of the two. */
type Hint = DocumentKind | "recommendation";

/** Words in file names, in the languages of many students, without accents and in lower case. */
const words: Record<Exclude<Hint, "recommendation1" | "recommendation2">, string> = {
  passport:
    "pass passport passeport pasaporte passaporto passaporte reisepass paszport pasaport paspor hochieu паспорт 护照 護照 パスポート 여권 جواز",
  transcript:
    "transcript transkript marksheet marksheets grades zeugnis notenspiegel releve expediente historico pagella boletim bangdiem 成绩 成績 성적 транскрипт",
  recommendation:
    "lor recommendation recommandation recomendacion recomendacao raccomandazione reference referee empfehlung referenz referans tavsiye 推荐 推薦 추천 рекомендация",
  statement:
    "sop statement motivation motivacion motivazione motivacao motivasi intent essay niyet 陈述 志望 자기소개",
  cv: "cv resume curriculum lebenslauf ozgecmis biodata 简历 履歴書 이력서 резюме",
};
/** Shorter words match only as whole words, since others contain them. */
const shortest = 5;
/** A bank statement is not a statement of purpose. */
const misleading = /\bbank\b/;

/** Returns a name in lower case, without accents and with its words separated. */
const plain = (name: string): string =>
  name
    .replace(/\.[^.]*$/, "")
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ı", "i")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ");

function mentions(text: string, word: string): boolean {
  const isLatin = /^[a-z]/.test(word);
  if (isLatin && word.length < shortest)
    return new RegExp(`(^|[^\\p{L}])${word}($|[^\\p{L}])`, "u").test(text);
  return text.replaceAll(" ", "").includes(word);
}

/** Recognises a file's slot by its name. Returns null if the name suggests none, or more than one. */
export function slotHint(name: string): Hint | null {
  const text = plain(name);
  if (misleading.test(text)) return null;
  const kinds = (["passport", "transcript", "recommendation", "statement", "cv"] as const).filter((kind) =>
    words[kind].split(" ").some((word) => mentions(text, word)),
  );
  const [hint = null] = kinds;
  if (kinds.length !== 1) return null;
  const number = hint === "recommendation" && /(?<!\d)[12](?!\d)/.exec(text)?.[0];
  return number ? (number === "1" ? "recommendation1" : "recommendation2") : hint;
}

/**
 * Returns the slots for files that are chosen together, in their order. A file whose name suggests a slot gets that
 * one, even when that replaces a file; any other file gets the next empty one. Null means that the user has to choose.
 * `reservedSlots`: slots of files that were chosen before.
 */
export function slotsFor(
  names: readonly string[],
  slots: Slots,
  reservedSlots: readonly DocumentKind[] = [],
): (DocumentKind | null)[] {
  const usedSlots = new Set(reservedSlots);
  const missing = missingDocuments(slots);
  const take = (candidates: readonly DocumentKind[]): DocumentKind | null => {
    const slot = candidates.find((kind) => !usedSlots.has(kind)) ?? null;
    if (slot) usedSlots.add(slot);
    return slot;
  };
  const recommendations = ["recommendation1", "recommendation2"] as const;
  const emptyFirst = [
    ...recommendations.filter((kind) => missing.includes(kind)),
    ...recommendations.filter((kind) => !missing.includes(kind)),
  ];
  const guesses = names.map((name) => {
    const hint = slotHint(name);
    if (hint === null) return { hint, slot: null };
    return { hint, slot: take(hint === "recommendation" ? emptyFirst : [hint]) };
  });
  const empty = missing.filter((kind) => slots[kind] === undefined);
  return guesses.map(({ hint, slot }) => (hint === null ? take(empty) : slot));
}

/** Outcomes of moving a file to another slot: it moves to an empty one, or swaps with the file in it. */
export type Move = "moves" | "swaps" | "conflict";

/** Decides a move. Approved files stay in their slots. `there`: the state of the file in the other slot, or null. */
export function decideMove(state: DocumentState, there: DocumentState | null): Move {
  if (!mayBeTakenBack(state)) return "conflict";
  if (there === null) return "moves";
  return mayBeTakenBack(there) ? "swaps" : "conflict";
}

/** Whether the student may take a file out of its slot. */
export const mayBeTakenBack = (state: DocumentState): boolean => state !== "approved";
