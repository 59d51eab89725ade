import { type ComponentProps, lazy, Suspense } from "react";
import type { ProfileRole } from "#domain/profile.ts";
import { whenOnline } from "../../lib/online.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ProfileSkeleton } from "./profile-skeleton.tsx";

/** Lazy-loaded with its list of countries, because the dashboards come first. */
const ProfileEditor = lazy(whenOnline(() => import("./profile-editor.tsx")));

/** The whole profile form, on its screen and in the dashboards' modals. */
export const PersonalDetails = (props: ComponentProps<typeof ProfileEditor>) => (
  <Suspense fallback={<ProfileSkeleton />}>
    <ProfileEditor {...props} />
  </Suspense>
);

type ProfileDialogProps = { opened: boolean; whose: ProfileRole; onClose: () => void };

/** The profile form in a modal. It keeps unsaved texts when closed. */
export const ProfileDialog = ({ opened, ...editor }: ProfileDialogProps) => (
  <Dialog wide opened={opened} onClose={editor.onClose} title="Personal details">
    <PersonalDetails {...editor} />
  </Dialog>
);
