import { type ComponentProps, lazy, Suspense } from "react";
import { whenOnline } from "../../lib/online.ts";
import { ProfileSkeleton } from "./profile-skeleton.tsx";

/** Lazy-loaded, with its list of countries: the dashboards come first. */
const loadEditor = whenOnline(() => import("./profile-editor.tsx"));
const ProfileEditor = lazy(loadEditor);

/** The whole profile form, on its screen and in the dashboards' modals. */
export const PersonalDetails = (props: ComponentProps<typeof ProfileEditor>) => (
  <Suspense fallback={<ProfileSkeleton />}>
    <ProfileEditor {...props} />
  </Suspense>
);
