import { useRef, useState } from "react";
import { calendarDate } from "#domain/calendar-date.ts";
import { emailChangeProblem, isAnotherEmail } from "#domain/email-change.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { type Profile, type ProfileRole, profileFields } from "#domain/profile.ts";
import { checkProfile, profileProblem } from "#domain/profile-check.ts";
import { draftOf, dropDraft, keepDraft } from "../../lib/drafts.ts";
import { rpc } from "../../lib/rpc.ts";
import { failureOf } from "../../ui/form/form.tsx";

type MyProfile = Awaited<ReturnType<typeof rpc.profile.mine>>;
export type EditedProfile = Omit<MyProfile, "pendingEmail"> & Partial<Pick<MyProfile, "pendingEmail">>;
/** The profile that is edited: the viewer's own, or that of a student on whose behalf an agent fills it in. */
export type ProfileOwner = { whose: ProfileRole; student?: { id: string; name: string } | undefined };
type ProfileInput = Profile & { password: string };

/** The notice above the form; `fields` are those that another person saved in the meantime. */
export type FormNotice = { kind: "draft" } | { kind: "conflict"; fields: readonly (keyof Profile)[] };

const fetchProfile = ({ student }: ProfileOwner): Promise<EditedProfile> =>
  student ? rpc.profile.ofStudent({ studentId: student.id }) : rpc.profile.mine();

function save({ student }: ProfileOwner, version: number, profile: Omit<Profile, "email">) {
  return student
    ? rpc.profile.saveForStudent({ studentId: student.id, version, profile })
    : rpc.profile.save({ version, profile });
}

/**
 * The profile form's state and submission. `base` is the edited version: the fields start with it and the unsaved
 * changes, again whenever `generation` grows. `onSaved` receives the new address that was requested, or null. An agent
 * who fills in a student's profile can't change the address.
 */
export function useProfileForm(
  initial: EditedProfile,
  owner: ProfileOwner,
  onSaved: (email: string | null) => void,
) {
  const { whose, student } = owner;
  const form = student ? `profile of ${student.id}` : "profile";
  const draft = () => draftOf<keyof Profile>(form);
  const [base, setBase] = useState(initial);
  const [generation, setGeneration] = useState(0);
  const [notice, setNotice] = useState<FormNotice | null>(() =>
    Object.keys(draft()).length > 0 ? { kind: "draft" } : null,
  );
  const requestedEmail = useRef("");

  const [today] = useState(() => calendarDate(new Date()));
  const about = { role: whose, today, stored: base.profile };
  const asksForEmail = ({ email }: ProfileInput) => !student && isAnotherEmail(email, base.profile.email);
  /** The form for a student has no field for the address. */
  const whole = (input: ProfileInput): ProfileInput =>
    student ? { ...input, email: base.profile.email } : input;

  function restart(from: EditedProfile, notice: FormNotice | null) {
    setBase(from);
    setNotice(notice);
    setGeneration((before) => before + 1);
  }

  async function showNewer() {
    const newer = await fetchProfile(owner);
    const fields = profileFields.filter((field) => newer.profile[field] !== base.profile[field]);
    restart(newer, { kind: "conflict", fields });
  }

  async function send(input: ProfileInput) {
    const { password, ...profile } = input;
    const { email, ...rest } = profile;
    const asks = asksForEmail(input);
    try {
      // Changes the address first, so that a wrong password saves nothing. An address that was requested already is
      // skipped.
      if (asks && requestedEmail.current !== email) await rpc.profile.changeEmail({ email, password });
      if (asks) requestedEmail.current = email;
      await save(owner, base.version, rest);
    } catch (error) {
      if (friendlyError(error).code !== "failed-precondition") throw profileNotSaved(error);
      return await showNewer();
    }
    dropDraft(form);
    requestedEmail.current = "";
    const pendingEmail = asks ? email.trim() : (base.pendingEmail ?? null);
    const after = nextOf(profile, pendingEmail);
    if (asks) restart(after, null);
    else setBase(after);
    setNotice(null);
    onSaved(asks ? email.trim() : null);
  }

  /** Returns the profile as stored after a save. Changed fields are no longer another person's entries. */
  function nextOf(profile: Profile, pendingEmail: string | null): EditedProfile {
    const after = storedAs(profile);
    const entries = base.entries
      .map((entry) => ({
        ...entry,
        fields: entry.fields.filter((field) => after[field] === base.profile[field]),
      }))
      .filter(({ fields }) => fields.length > 0);
    return { version: base.version + 1, profile: after, pendingEmail, entries };
  }

  function storedAs(profile: Profile): Profile {
    const valid = checkProfile(profile, about);
    return { ...("code" in valid ? profile : valid), email: base.profile.email };
  }

  return {
    generation,
    notice,
    today,
    currentEmail: base.profile.email,
    pendingEmail: base.pendingEmail ?? null,
    entries: base.entries,
    values: { ...base.profile, ...draft() },
    plan: {
      fields: [...profileFields, "password"] as const,
      check: (input: ProfileInput) =>
        profileProblem(whole(input), about) ??
        (asksForEmail(input) ? emailChangeProblem(input, base.profile.email) : null),
      send: (input: ProfileInput) => send(whole(input)),
      onEdit: (input: ProfileInput) => keepDraft(form, whole(input), base.profile, profileFields),
    },
    /** Clears the pending address after it was cancelled. */
    clearPendingEmail: () => setBase((before) => ({ ...before, pendingEmail: null })),
    discard() {
      dropDraft(form);
      restart(base, null);
    },
  };
}

/** The message of a failed save. */
export const notSaved = "Failed to save profile. Please try again.";

/** Errors whose own messages are more specific than `notSaved`: limits, and an ended session. */
const specificCodes = new Set<string | null>([
  "auth/too-many-requests",
  "resource-exhausted",
  "unauthenticated",
]);

/** Returns the error to show for a failed save, with its code if it has one. */
function profileNotSaved(error: unknown): unknown {
  const { code } = friendlyError(error);
  if (failureOf(error).field !== null || specificCodes.has(code)) return error;
  return Object.assign(new Error(notSaved), code === null ? {} : { code });
}
