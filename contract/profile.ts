import { z } from "zod";
import { profileFields } from "#domain/profile.ts";
import { done, formText, guarded, id, text } from "./base.ts";
import { enteredBy } from "./entered-by.ts";
import { declared } from "./errors.ts";

/** The version of an edited profile, and its fields without the email. */
const profileEdit = z.object({
  version: z.number().int().min(0).max(2_147_483_647),
  profile: z.record(z.enum(profileFields).exclude(["email"]), text(4096)),
});
/** The fields that another user filled in and that are unchanged since, the latest save first. */
export const profileEntries = z.array(
  z.object({ by: enteredBy, at: z.date(), fields: z.array(z.enum(profileFields)).min(1) }),
);
export type ProfileEntry = z.infer<typeof profileEntries>[number];

/** Profiles: students' and approved agents' own, and for agents those of their students. */
export const profile = {
  /**
   * The caller's own seventeen fields, empty if not given. `version` is 0 before the first save. `pendingEmail`: the
   * requested address that is not confirmed yet.
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
   * Saves all fields except the email. `version` is of the profile that was edited. `failed-precondition`: it was saved
   * again in the meantime.
   */
  save: guarded({ who: "profileHolder" })
    .errors(declared("form/incomplete", "failed-precondition"))
    .input(profileEdit)
    .output(done),

  /**
   * A student's fields, for the assigned agent to fill in while the student shares their papers. The audit log records
   * each look.
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
   * Saves a student's profile on the student's behalf. The changed fields are marked with the agent who entered them,
   * and the student is notified. `failed-precondition` as for `save`.
   */
  saveForStudent: guarded({ who: "approvedAgent" })
    .errors(declared("not-found", "form/incomplete", "failed-precondition"))
    .input(profileEdit.extend({ studentId: id }))
    .output(done),

  /**
   * Emails a link to the new address; the old one stays in use until the link is opened. Returns the same whether or
   * not the address has an account.
   */
  changeEmail: guarded({ who: "profileHolder" })
    .errors(
      declared("form/incomplete", "auth/invalid-email", "auth/wrong-password", "auth/too-many-requests"),
    )
    .errors(declared("auth/requires-recent-login"))
    .input(z.object({ email: formText, password: formText }))
    .output(done),

  /** Cancels the unconfirmed change of address; does nothing if there is none. */
  cancelEmailChange: guarded({ who: "profileHolder" }).output(done),
};
