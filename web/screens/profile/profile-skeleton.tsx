import { Skeleton, Waiting } from "../../ui/skeleton.tsx";

/** Holds the form's place. */
export const ProfileSkeleton = () => (
  <Waiting gap="lg" label="Loading the profile">
    <Skeleton h={280} />
    <Skeleton h={120} />
    <Skeleton h={280} />
  </Waiting>
);
