/** A part of a message's text that begins at the character `at`; `href` is set for a web address. */
export type TextPart = { at: number; text: string; href?: string };

const address = /\bhttps?:\/\/[^\s<>"]+/gi;
const closers: Record<string, string> = { ")": "(", "]": "[" };
const count = (text: string, sign: string) => text.split(sign).length - 1;

/** Returns an address without the punctuation at its end that belongs to the surrounding sentence. */
function withoutSentenceEnd(text: string): string {
  const last = text.at(-1) ?? "";
  const opener = closers[last];
  const isSentenceEnd = opener ? count(text, last) > count(text, opener) : /[.,;:!?'”’»…*_]/.test(last);
  return isSentenceEnd ? withoutSentenceEnd(text.slice(0, -1)) : text;
}

/** Splits a message's text at its http(s) addresses. The parts' texts add up to the whole text. */
export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(address)) {
    const link = withoutSentenceEnd(match);
    if (!URL.canParse(link)) continue;
    if (index > end) parts.push({ at: end, text: text.slice(end, index) });
    parts.push({ at: index, text: link, href: new URL(link).href });
    end = index + link.length;
  }
  if (end < text.length) parts.push({ at: end, text: text.slice(end) });
  return parts;
}
