import { z } from "zod";
import { profileFields } from "#domain/profile.ts";
import { done, formText, guarded, id, text } from "./base.ts";
import { enteredBy } from "./entered-by.ts";
import { declared } from "./errors.ts";

/** The version of a profile that is edited, and its fields without the email. */
const edited = z.object({
  version: z.number().int().min(0).max(2_147_483_647),
  profile: z.record(z.enum(profileFields).exclude(["email"]), text(4096)),
});
/** The fields that somebody else filled in and that still stand as entered, the latest save first. */
export const profileEntries = z.array(
  z.object({ by: enteredBy, at: z.date(), fields: z.array(z.enum(profileFields)).min(1) }),
);
export type ProfileEntry = z.infer<typeof profileEntries>[number];

/** For students and approved agents, each their own, and for agents those of their students. */
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
      entries: profileEntries,
    }),
  ),

  /**
   * Saves all but the email. `version` is that of the profile which was edited: `failed-precondition` when it was
   * saved again in the meantime.
   */
  save: guarded({ who: "profileHolder" })
    .errors(declared("form/incomplete", "failed-precondition"))
    .input(edited)
    .output(done),

  /**
   * A student's fields, for the assigned agent to fill in while the student shares their papers. Each look is in the
   * audit log.
   */
  ofStudent: guarded({ who: "approvedAgent" })
    .errors(declared("not-found"))
    .input(z.object({ studentId: id }))
    .output(
      z.object({
        version: z.number().int(),
        profile: z.record(z.enum(profileFields), z.string()),
        entries: profileEntries,
      }),
    ),

  /**
   * Saves a student's profile in the student's place. The changed fields are marked with who entered them, and the
   * student is notified. `failed-precondition` as for `save`.
   */
  saveForStudent: guarded({ who: "approvedAgent" })
    .errors(declared("not-found", "form/incomplete", "failed-precondition"))
    .input(edited.extend({ studentId: id }))
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
    .input(z.object({ email: formText, password: formText }))
    .output(done),

  /** Calls off the change of address that waits to be confirmed; does nothing when none does. */
  cancelEmailChange: guarded({ who: "profileHolder" }).output(done),
};
