import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import classes from "./profile-skeleton.module.css";

/** Reserves the form's space, so that the content below it doesn't move. */
export const ProfileSkeleton = () => (
  <Waiting gap="lg" label="Loading the profile">
    <Skeleton className={classes.part ?? ""} />
    <Skeleton className={classes.short ?? ""} />
    <Skeleton className={classes.part ?? ""} />
  </Waiting>
);
