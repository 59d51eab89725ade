import { useEffect, useRef, useState } from "react";
import type { ProfileRole } from "#domain/profile.ts";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Form } from "../../ui/form/form.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import classes from "./profile-fields.module.css";
import { ProfileFields } from "./profile-fields.tsx";
import { PendingEmail, ProfileNews } from "./profile-news.tsx";
import { notSaved } from "./profile-not-saved.ts";
import { type MyProfile, useProfileForm } from "./use-profile-form.ts";

type ProfileFormProps = {
  initial: MyProfile;
  whose: ProfileRole;
  /** Gets the new address that was asked for along with it, or null. */
  onSaved: (email: string | null) => void;
};

const errorTitle = "Profile Error";

export function ProfileForm({ initial, whose, onSaved }: ProfileFormProps) {
  const { generation, news, pendingEmail, clearPendingEmail, plan, discard, ...fields } = useProfileForm(
    initial,
    whose,
    onSaved,
  );
  const [seen, setSeen] = useState(0);
  const top = useRef<HTMLDivElement>(null);
  const isNewer = news?.kind === "conflict" && seen !== generation;
  // The fields begin anew: the keyboard goes on above them, where it says why.
  useEffect(() => {
    if (generation > 0 && !isNewer) top.current?.focus();
  }, [generation, isNewer]);
  return (
    <>
      <div ref={top} tabIndex={-1} className={classes.notice}>
        {pendingEmail !== null && <PendingEmail email={pendingEmail} onCancelled={clearPendingEmail} />}
        {news && <ProfileNews news={news} onDiscard={discard} />}
      </div>
      <Form key={generation} errorTitle={errorTitle} {...plan}>
        <ProfileFields whose={whose} {...fields} />
        <SubmitButton busyText="Saving...">Save Profile</SubmitButton>
      </Form>
      <ErrorModal
        title={errorTitle}
        error={isNewer ? { message: notSaved, code: "failed-precondition" } : null}
        onClose={() => setSeen(generation)}
      />
    </>
  );
}
