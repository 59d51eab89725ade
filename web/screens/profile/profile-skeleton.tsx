import { Stack } from "@mantine/core";
import { Skeleton } from "../../ui/skeleton.tsx";

/** Holds the form's place. */
export const ProfileSkeleton = () => (
  <Stack gap="lg" aria-busy="true" aria-label="Loading the profile">
    <Skeleton h={280} />
    <Skeleton h={120} />
    <Skeleton h={280} />
  </Stack>
);
