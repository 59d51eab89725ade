import { Skeleton } from "../../ui/skeleton.tsx";
import { Waiting } from "../../ui/waiting.tsx";

const lines = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** Holds the place of an admin's list. */
export const TableSkeleton = ({ label }: { label: string }) => (
  <Waiting gap="xs" label={label}>
    <Skeleton h={36} />
    {lines.map((line) => (
      <Skeleton key={line} h={42} />
    ))}
  </Waiting>
);
