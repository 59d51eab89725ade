import { type ComponentProps, lazy, Suspense } from "react";
import { late } from "../../lib/late-code.ts";
import { ProfileSkeleton } from "./profile-skeleton.tsx";

/** Loaded apart, with its list of countries: the dashboards come first. */
export const loadEditor = late(() => import("./profile-editor.tsx"));
const ProfileEditor = lazy(loadEditor);

/** The whole profile form, on its screen and in the dashboards' modals. */
export const PersonalDetails = (props: ComponentProps<typeof ProfileEditor>) => (
  <Suspense fallback={<ProfileSkeleton />}>
    <ProfileEditor {...props} />
  </Suspense>
);
