import { IconArrowDown, IconArrowsSort, IconArrowUp } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { StudentRow as Student } from "#contract/students.ts";
import type { StudentFilter, StudentSort } from "#domain/student-list.ts";
import { paged } from "../../lib/paged.ts";
import { api } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import classes from "./student-list.module.css";
import { type RowActions, StudentRow } from "./student-row.tsx";
import type { ListView } from "./use-list-view.ts";

/** Returns the students of a view, a page at a time. The current ones stay until the next answer is there. */
export function useStudents({ search, filter, situation, sort, direction }: ListView) {
  const { data, ...query } = useInfiniteQuery(
    api.students.list.infiniteOptions({
      input: (cursor: string | undefined) => ({
        search,
        filter,
        ...(situation && { situation }),
        sort,
        direction,
        cursor,
      }),
      ...paged,
      placeholderData: keepPreviousData,
    }),
  );
  const students = data?.pages.flatMap((page) => page.students) ?? null;
  return { ...query, students, total: data?.pages[0]?.total ?? null };
}

type ViewProps = { view: ListView; onChange: (changes: Partial<ListView>) => void };
type StudentListProps = ViewProps & { list: ReturnType<typeof useStudents>; actions: RowActions };

export function StudentList({ list, actions, view, onChange }: StudentListProps) {
  const { students, error, refetch, isPlaceholderData } = list;
  if (!students && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!students) return <TableSkeleton />;
  if (students.length === 0) return <EmptyList view={view} onChange={onChange} />;
  return (
    <>
      <StudentTable
        students={students}
        busy={isPlaceholderData}
        actions={actions}
        view={view}
        onChange={onChange}
      />
      <ShowMore query={list} />
    </>
  );
}

type StudentTableProps = ViewProps & {
  students: readonly Student[];
  /** Whether newer rows are loading. */
  busy: boolean;
  actions: RowActions;
};

/** The table. On narrow screens every row is a block of three parts, on a phone a card. */
function StudentTable({ students, busy, actions, view, onChange }: StudentTableProps) {
  const sortable = { view, onChange };
  return (
    <section className={classes.scroller} aria-label="Students" aria-busy={busy}>
      <table className={classes.table}>
        <thead>
          <tr>
            <SortHeader sort="name" label="Name" {...sortable} />
            <th scope="col" className={classes.cardsOnly}>
              Progress
            </th>
            <SortHeader sort="email" label="Email" {...sortable} />
            <th scope="col">Phone</th>
            <SortHeader sort="country" label="Country" {...sortable} />
            <th scope="col">Shortlist</th>
            <th scope="col">Actions</th>
            <th scope="col">Assign Agent</th>
          </tr>
        </thead>
        <tbody>
          {students.map((student) => (
            <StudentRow
              key={student.id}
              student={student}
              opened={view.student === student.id}
              actions={actions}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SortHeader({ sort, label, view, onChange }: ViewProps & { sort: StudentSort; label: string }) {
  const order = view.sort === sort ? view.direction : "none";
  const Icon = { none: IconArrowsSort, ascending: IconArrowUp, descending: IconArrowDown }[order];
  const direction = order === "ascending" ? "descending" : "ascending";
  return (
    <th scope="col" aria-sort={order}>
      <button type="button" className={classes.sort} onClick={() => onChange({ sort, direction })}>
        {label}
        <Icon size={14} stroke={1.8} aria-hidden />
      </button>
    </th>
  );
}

type EmptyText = { title: string; text: string; action?: { label: string; changes: Partial<ListView> } };

const empty: Record<StudentFilter, EmptyText> = {
  all: { title: "No students yet", text: "Students are listed here as soon as they sign up." },
  mine: {
    title: "No students are assigned to you yet",
    text: "Find a student under Unassigned and choose Assign Agent.",
    action: { label: "Show unassigned", changes: { filter: "unassigned" } },
  },
  unassigned: {
    title: "Every student has an agent",
    text: "New students appear here until they have an agent.",
    action: { label: "Show all", changes: { filter: "all" } },
  },
};

const noneSo: EmptyText = {
  title: "No students here now",
  text: "What was waiting may have been done meanwhile.",
  action: { label: "Clear filter", changes: { situation: null } },
};

const notFound = (search: string): EmptyText => ({
  title: "No students found",
  text: `No name here contains “${search}”. Try part of a first or last name.`,
  action: { label: "Clear search", changes: { search: "" } },
});

/** Says why the list is empty, and what to do about it. */
function EmptyList({ view, onChange }: ViewProps) {
  const search = view.search.trim();
  const unfiltered = view.situation === null ? empty[view.filter] : noneSo;
  const { title, text, action } = search === "" ? unfiltered : notFound(search);
  return (
    <EmptyState title={title} text={text}>
      {action && (
        <Button variant="default" onClick={() => onChange(action.changes)}>
          {action.label}
        </Button>
      )}
    </EmptyState>
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
