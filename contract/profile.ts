import { z } from "zod";
import { profileFields } from "#domain/profile.ts";
import { done, guarded, text } from "./base.ts";
import { declared } from "./errors.ts";

const typed = text(4096);

/** For students and approved agents, each their own. */
export const profile = {
  /**
   * The asker's own seventeen fields, empty where not given. `version` is 0 before the first save. `pendingEmail`: the
   * address that was asked for and is not confirmed yet.
   */
  mine: guarded({ who: "profileHolder" }).output(
    z.object({
      version: z.number().int(),
      profile: z.record(z.enum(profileFields), z.string()),
      pendingEmail: z.string().nullable(),
    }),
  ),

  /**
   * Saves all but the email. `version` is that of the profile which was edited: `failed-precondition` when it was
   * saved again in the meantime.
   */
  save: guarded({ who: "profileHolder" })
    .errors(declared("form/incomplete", "failed-precondition"))
    .input(
      z.object({
        version: z.number().int().min(0).max(2_147_483_647),
        profile: z.record(z.enum(profileFields).exclude(["email"]), typed),
      }),
    )
    .output(done),

  /**
   * Mails a link to the new address; the old one holds until it is opened. Answers alike whether or not the address
   * belongs to somebody.
   */
  changeEmail: guarded({ who: "profileHolder" })
    .errors(
      declared("form/incomplete", "auth/invalid-email", "auth/wrong-password", "auth/too-many-requests"),
    )
    .errors(declared("auth/requires-recent-login"))
    .input(z.object({ email: typed.default(""), password: typed.default("") }))
    .output(done),

  /** Calls off the change of address that waits to be confirmed; does nothing when none does. */
  cancelEmailChange: guarded({ who: "profileHolder" }).output(done),
};
