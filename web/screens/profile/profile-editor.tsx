import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { profileLabel } from "#domain/profile.ts";
import { announce } from "../../lib/announce.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ProfileEntries } from "./profile-entries.tsx";
import classes from "./profile-fields.module.css";
import { ProfileFields } from "./profile-fields.tsx";
import { ProfileSkeleton } from "./profile-skeleton.tsx";
import {
  type EditedProfile,
  type FormNotice,
  notSaved,
  type ProfileOwner,
  useProfileForm,
} from "./use-profile-form.ts";

/** Fetched once each time the form opens, because each access is in the audit log; dropped when it closes. */
const once = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
};

type ProfileEditorProps = ProfileOwner & {
  /** Closes the dialog once saved; undefined outside of a dialog. */
  onClose?: () => void;
};

/** The whole profile form, on its screen and in the dashboards' modals, and for an agent who fills in a student's. */
export default function ProfileEditor({ student, ...props }: ProfileEditorProps) {
  return student ? <StudentsEditor student={student} {...props} /> : <OwnEditor {...props} />;
}

function StudentsEditor({
  student,
  whose,
  onClose,
}: ProfileEditorProps & { student: { id: string; name: string } }) {
  const options = api.profile.ofStudent.queryOptions({ input: { studentId: student.id }, ...once });
  const { data, error, refetch } = useQuery(options);
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <ProfileSkeleton />;
  return (
    <ProfileForm
      initial={data}
      whose={whose}
      student={student}
      onSaved={() => {
        announce(`Saved. ${student.name} has been notified.`);
        void queryClient.invalidateQueries({ queryKey: api.students.key() });
        onClose?.();
      }}
    />
  );
}

function OwnEditor({ whose, onClose }: Omit<ProfileEditorProps, "student">) {
  const { data, error, refetch } = useQuery(api.profile.mine.queryOptions(once));
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <ProfileSkeleton />;
  return (
    <ProfileForm
      initial={data}
      whose={whose}
      onSaved={(email) => {
        announceSaved(email);
        onClose?.();
      }}
    />
  );
}

function announceSaved(email: string | null) {
  announce("Profile saved successfully!");
  if (email !== null) announce(`We've sent a link to ${email}. Open it to confirm.`, 15_000);
  void queryClient.invalidateQueries({ queryKey: api.account.me.key() });
  void queryClient.invalidateQueries({ queryKey: api.students.dashboard.key() });
}

type ProfileFormProps = ProfileOwner & {
  initial: EditedProfile;
  /** Receives the new address that was requested along with the save, or null. */
  onSaved: (email: string | null) => void;
};

const errorTitle = "Profile Error";
const savedMeanwhile = `${notSaved} Someone saved this profile while you were editing. We've kept what you typed.`;

function ProfileForm({ initial, whose, student, onSaved }: ProfileFormProps) {
  const { generation, notice, pendingEmail, clearPendingEmail, entries, plan, discard, ...fields } =
    useProfileForm(initial, { whose, student }, onSaved);
  const [closedGeneration, setClosedGeneration] = useState(0);
  const top = useRef<HTMLDivElement>(null);
  const isNewer = notice?.kind === "conflict" && closedGeneration !== generation;
  // When the fields are reset, the focus moves to the notice above them, which says why.
  useEffect(() => {
    if (generation > 0 && !isNewer) top.current?.focus();
  }, [generation, isNewer]);
  return (
    <>
      <div ref={top} tabIndex={-1} className={classes.notice}>
        {pendingEmail !== null && <PendingEmail email={pendingEmail} onCancelled={clearPendingEmail} />}
        <ProfileEntries entries={entries} isOwn={student === undefined} />
        {notice && <ProfileNotice notice={notice} onDiscard={discard} />}
      </div>
      <Form key={generation} errorTitle={errorTitle} {...plan}>
        <ProfileFields whose={whose} hasEmail={student === undefined} {...fields} />
        <SubmitButton busyText="Saving...">Save Profile</SubmitButton>
      </Form>
      <ErrorModal
        title={errorTitle}
        error={isNewer ? { message: savedMeanwhile, code: "failed-precondition" } : null}
        onClose={() => setClosedGeneration(generation)}
      />
    </>
  );
}

type PendingEmailProps = { email: string; onCancelled: () => void };

/** The change of address that waits for its confirmation, with a button that cancels it. */
function PendingEmail({ email, onCancelled }: PendingEmailProps) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => rpc.profile.cancelEmailChange(),
    onSuccess() {
      announce("Your email address won't change.");
      onCancelled();
    },
  });
  return (
    <>
      <Notice
        kind="success"
        action={
          <Button variant="default" size="compact-md" disabled={isPending} onClick={() => mutate()}>
            Cancel the change
          </Button>
        }
      >
        We've sent a link to <strong>{email}</strong>. Open it to confirm the change.
      </Notice>
      <ErrorModal title="Profile Error" error={error} onClose={reset} />
    </>
  );
}

/** A notice about the form: unsaved changes, or another person's save. */
function ProfileNotice({ notice, onDiscard }: { notice: FormNotice; onDiscard: () => void }) {
  return (
    <Notice
      action={
        <Button variant="default" size="compact-md" onClick={onDiscard}>
          Discard changes
        </Button>
      }
    >
      {notice.kind === "draft" ? draftWords : conflictWords(notice.fields)}
    </Notice>
  );
}

const draftWords = "These changes aren't saved yet. Save them, or discard them.";

function conflictWords(fields: Extract<FormNotice, { kind: "conflict" }>["fields"]): string {
  const names = fields.map((field) => profileLabel[field]).join(", ");
  const what = names === "" ? "" : ` (${names})`;
  return `This profile was changed elsewhere in the meantime${what}. Your changes are still here. Check them, then save again.`;
}
