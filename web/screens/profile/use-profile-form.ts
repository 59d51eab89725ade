import { useRef, useState } from "react";
import { calendarDate } from "#domain/calendar-date.ts";
import { emailChangeProblem, isAnotherEmail } from "#domain/email-change.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { type Profile, type ProfileRole, profileFields } from "#domain/profile.ts";
import { checkProfile, profileProblem } from "#domain/profile-check.ts";
import { draftOf, dropDraft, keepDraft } from "../../lib/drafts.ts";
import { rpc } from "../../lib/rpc.ts";
import { failureOf } from "../../ui/form/form.tsx";

export type MyProfile = Awaited<ReturnType<typeof rpc.profile.mine>>;
type ProfileInput = Profile & { password: string };

/** The notice above the form; `fields` are those that somebody else saved in the meantime. */
export type News = { kind: "draft" } | { kind: "conflict"; fields: readonly (keyof Profile)[] };

const form = "profile";
const draft = () => draftOf<keyof Profile>(form);

/**
 * The profile form's state and what it sends. `base` is the version that is edited: the fields start with it and the
 * unsaved changes, again whenever `generation` grows. `onSaved` gets the new address that was requested, or null.
 */
export function useProfileForm(
  initial: MyProfile,
  whose: ProfileRole,
  onSaved: (email: string | null) => void,
) {
  const [base, setBase] = useState(initial);
  const [generation, setGeneration] = useState(0);
  const [news, setNews] = useState<News | null>(() =>
    Object.keys(draft()).length > 0 ? { kind: "draft" } : null,
  );
  const askedFor = useRef("");

  const [today] = useState(() => calendarDate(new Date()));
  const about = { role: whose, today, stored: base.profile };
  const asksForEmail = ({ email }: ProfileInput) => isAnotherEmail(email, base.profile.email);

  function restart(from: MyProfile, news: News | null) {
    setBase(from);
    setNews(news);
    setGeneration((before) => before + 1);
  }

  async function showNewer() {
    const newer = await rpc.profile.mine();
    const fields = profileFields.filter((field) => newer.profile[field] !== base.profile[field]);
    restart(newer, { kind: "conflict", fields });
  }

  async function send(typed: ProfileInput) {
    const { password, ...profile } = typed;
    const { email, ...rest } = profile;
    const asks = asksForEmail(typed);
    try {
      // Changes the address first, so that a wrong password saves nothing. An address that was requested already is
      // skipped.
      if (asks && askedFor.current !== email) await rpc.profile.changeEmail({ email, password });
      if (asks) askedFor.current = email;
      await rpc.profile.save({ version: base.version, profile: rest });
    } catch (error) {
      if (friendlyError(error).code !== "failed-precondition") throw profileNotSaved(error);
      return await showNewer();
    }
    dropDraft(form);
    askedFor.current = "";
    const pendingEmail = asks ? email.trim() : base.pendingEmail;
    const saved = { version: base.version + 1, profile: storedAs(profile), pendingEmail };
    if (asks) restart(saved, null);
    else setBase(saved);
    setNews(null);
    onSaved(asks ? email.trim() : null);
  }

  function storedAs(profile: Profile): Profile {
    const checked = checkProfile(profile, about);
    return { ...("code" in checked ? profile : checked), email: base.profile.email };
  }

  return {
    generation,
    news,
    today,
    currentEmail: base.profile.email,
    pendingEmail: base.pendingEmail,
    values: { ...base.profile, ...draft() },
    plan: {
      fields: [...profileFields, "password"] as const,
      check: (typed: ProfileInput) =>
        profileProblem(typed, about) ??
        (asksForEmail(typed) ? emailChangeProblem(typed, base.profile.email) : null),
      send,
      onEdit: (typed: ProfileInput) => keepDraft(form, typed, base.profile, profileFields),
    },
    /** Forgets the pending address after it was cancelled. */
    clearPendingEmail: () => setBase((before) => ({ ...before, pendingEmail: null })),
    discard() {
      dropDraft(form);
      restart(base, null);
    },
  };
}

/** The message of a failed save. */
export const notSaved = "Failed to save profile. Please try again.";

/** Errors whose own messages say more than `notSaved`: limits, and an ended session. */
const ownWords = new Set<string | null>(["auth/too-many-requests", "resource-exhausted", "unauthenticated"]);

/** Returns the error to show for a failed save, with its code if it has one. */
function profileNotSaved(error: unknown): unknown {
  const { code } = friendlyError(error);
  if (failureOf(error).field !== null || ownWords.has(code)) return error;
  return Object.assign(new Error(notSaved), code === null ? {} : { code });
}
