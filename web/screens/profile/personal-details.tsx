import { type ComponentProps, Suspense } from "react";
import type { ProfileRole } from "#domain/profile.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { late } from "../../ui/late.tsx";
import classes from "./profile-fields.module.css";
import { ProfileSkeleton } from "./profile-skeleton.tsx";

/** Lazy-loaded with its list of countries, so that the dashboards appear sooner. */
const ProfileEditor = late(() => import("./profile-editor.tsx"));

/** The whole profile form, on its screen and in the dashboards' modals. */
export const PersonalDetails = (props: ComponentProps<typeof ProfileEditor>) => (
  <Suspense fallback={<ProfileSkeleton />}>
    <ProfileEditor {...props} />
  </Suspense>
);

type ProfileDialogProps = {
  opened: boolean;
  whose: ProfileRole;
  /** The student on whose behalf an agent fills it in. */
  student?: { id: string; name: string };
  onClose: () => void;
};

/** The profile form in a modal. It keeps unsaved texts when closed. */
export const ProfileDialog = ({ opened, ...editor }: ProfileDialogProps) => (
  <Dialog
    wide
    opened={opened}
    onClose={editor.onClose}
    title={editor.student ? `Personal details of ${editor.student.name}` : "Personal details"}
  >
    {editor.student && (
      <p className={classes.intro}>
        What you enter is marked with your name. {editor.student.name} is notified, and can change it.
      </p>
    )}
    <PersonalDetails {...editor} />
  </Dialog>
);
