import { limits } from "#domain/account.ts";

/** Loosely: at least five digits, with the signs that people put between them, and perhaps an extension. */
function looksLikePhone(text: string): boolean {
  const digits = text.replace(/\D/g, "").length;
  return digits >= 5 && digits <= 25 && /^\+?[\d\s().,/-]+((x|ext\.?)\s*\d+)?$/i.test(text);
}

/** What is wrong with a phone number that was given, already trimmed; null when all is well. */
export function phoneProblem(text: string, label: string): string | null {
  if (!looksLikePhone(text)) return "Please enter a valid phone number.";
  return text.length > limits.phone ? `${label} must be at most ${limits.phone} characters long.` : null;
}
