import { announce } from "./announce.ts";

/** Copies a text, and announces whether that worked. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce("Copied.");
  } catch {
    announce("Your browser doesn't let us copy. Please select the text and copy it.");
  }
}
