import { z } from "zod";
import { done, longFormText, open } from "./base.ts";
import { declared } from "./errors.ts";

export const contact = {
  /**
   * Emails a message to the consultancy. `website` is a field that users do not see: a program that fills it in gets
   * the same response, but no email is sent.
   */
  send: open
    .errors(declared("form/incomplete"))
    .input(
      z.object({ name: longFormText, email: longFormText, message: longFormText, website: longFormText }),
    )
    .output(done),
};
