import { limits } from "#domain/account.ts";

/** Checks loosely: at least five digits, with the signs that people put between them, and perhaps an extension. */
function looksLikePhone(text: string): boolean {
  const digits = text.replace(/\D/g, "").length;
  return digits >= 5 && digits <= 25 && /^\+?[\d\s().,/-]+((x|ext\.?)\s*\d+)?$/i.test(text);
}

/** Returns what is wrong with a phone number, which is trimmed already, or null. */
export function phoneProblem(text: string, label: string): string | null {
  if (!looksLikePhone(text)) return "Please enter a valid phone number.";
  return text.length > limits.phone ? `${label} must be at most ${limits.phone} characters long.` : null;
}
