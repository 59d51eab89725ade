import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { paged } from "../../lib/paged.ts";
import { api } from "../../lib/rpc.ts";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import { EmptyList } from "./empty-list.tsx";
import { StudentTable } from "./student-table.tsx";
import type { ListView } from "./use-list-view.ts";
import type { RowActions } from "./use-row-actions.ts";

/** The query of a view's students, a page at a time. */
const studentsQuery = ({ search, filter, sort, direction }: ListView) =>
  api.students.list.infiniteOptions({
    input: (cursor: string | undefined) => ({ search, filter, sort, direction, cursor }),
    ...paged,
  });

/** The students of a view. What is shown stays until the next answer is there. */
export function useStudents(view: ListView) {
  const { data, ...query } = useInfiniteQuery({
    ...studentsQuery(view),
    placeholderData: keepPreviousData,
  });
  return { ...query, students: data?.pages.flatMap((page) => page.students) ?? null };
}

type StudentListProps = {
  found: ReturnType<typeof useStudents>;
  view: ListView;
  actions: RowActions;
  onChange: (changes: Partial<ListView>) => void;
};

export function StudentList({ found, view, actions, onChange }: StudentListProps) {
  const { students, error, refetch, isPlaceholderData } = found;
  if (!students && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!students) return <TableSkeleton />;
  if (students.length === 0) return <EmptyList view={view} onChange={onChange} />;
  return (
    <>
      <StudentTable
        students={students}
        view={view}
        busy={isPlaceholderData}
        actions={actions}
        onChange={onChange}
      />
      <ShowMore query={found} />
    </>
  );
}

const lines = ["a", "b", "c", "d", "e", "f", "g", "h"];

function TableSkeleton() {
  return (
    <Waiting gap="xs" label="Loading students">
      <Skeleton h={36} />
      {lines.map((line) => (
        <Skeleton key={line} h={42} />
      ))}
    </Waiting>
  );
}
