import { z } from "zod";
import { done, open, text } from "./base.ts";
import { declared } from "./errors.ts";

/** A form's text may be longer than what is sent on, so that the check by field can say so in words. */
const typed = text(8192).default("");

export const contact = {
  /**
   * Mails a message to the consultancy. `website` is a field that people do not see: what fills it in is a program, and is answered alike.
   */
  send: open
    .errors(declared("form/incomplete", "auth/invalid-email"))
    .input(z.object({ name: typed, email: typed, message: typed, website: typed }))
    .output(done),
};
