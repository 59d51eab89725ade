import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import classes from "./profile-skeleton.module.css";

/** Holds the form's place, so that what stands below it stays where it is. */
export const ProfileSkeleton = () => (
  <Waiting gap="lg" label="Loading the profile">
    <Skeleton className={classes.part ?? ""} />
    <Skeleton className={classes.short ?? ""} />
    <Skeleton className={classes.part ?? ""} />
  </Waiting>
);
