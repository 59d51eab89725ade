import { limits } from "#domain/account.ts";

/** Checks loosely for 5 to 25 digits with the usual separators, and an optional extension. */
function looksLikePhone(text: string): boolean {
  const digits = text.replace(/\D/g, "").length;
  return digits >= 5 && digits <= 25 && /^\+?[\d\s().,/-]+((x|ext\.?)\s*\d+)?$/i.test(text);
}

/** Returns what is wrong with a trimmed phone number, or null. */
export function phoneProblem(text: string, label: string): string | null {
  if (!looksLikePhone(text)) return "Please enter a valid phone number.";
  return text.length > limits.phone ? `${label} must be at most ${limits.phone} characters long.` : null;
}
