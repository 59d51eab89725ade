import { z } from "zod";
import { done, open, text } from "./base.ts";
import { declared } from "./errors.ts";

const typed = text(8192).default("");

export const contact = {
  /**
   * Mails a message to the consultancy. `website` is a field that people do not see: a program that fills it in gets
   * the same answer, but no mail is sent.
   */
  send: open
    .errors(declared("form/incomplete"))
    .input(z.object({ name: typed, email: typed, message: typed, website: typed }))
    .output(done),
};
