import { IconArrowDown, IconArrowsSort, IconArrowUp } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { StudentRow as Student } from "#contract/students.ts";
import {
  type StudentColumn,
  type StudentFilter,
  type StudentSort,
  studentColumns,
} from "#domain/student-list.ts";
import { paged } from "../../lib/paged.ts";
import { api } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import type { StudentIds } from "./choosing.tsx";
import classes from "./student-list.module.css";
import { type RowActions, StudentRow } from "./student-row.tsx";
import { columnsOf, inputOf, isFiltered, type ListView, noFacets, noFitting } from "./use-list-view.ts";

/** Returns the students of a view, a page at a time. The current ones stay until the next answer arrives. */
export function useStudents(view: ListView) {
  const { data, ...query } = useInfiniteQuery(
    api.students.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ ...inputOf(view), cursor }),
      ...paged,
      placeholderData: keepPreviousData,
    }),
  );
  const students = data?.pages.flatMap((page) => page.students) ?? null;
  return { ...query, students, total: data?.pages[0]?.total ?? null, fits: data?.pages[0]?.fits ?? null };
}

type ViewProps = { view: ListView; onChange: (changes: Partial<ListView>) => void };
type ChoiceProps = { selection: StudentIds; onChoose: (ids: readonly string[]) => void };
type StudentListProps = ViewProps &
  ChoiceProps & { list: ReturnType<typeof useStudents>; actions: RowActions };

export function StudentList({ list, actions, view, onChange, ...choice }: StudentListProps) {
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
        {...choice}
      />
      <ShowMore query={list} />
    </>
  );
}

type StudentTableProps = ViewProps &
  ChoiceProps & {
    students: readonly Student[];
    /** Whether newer rows are loading. */
    busy: boolean;
    actions: RowActions;
  };

/** The table. On narrow screens every row is a block of three parts, on a phone a card. */
function StudentTable({ students, busy, actions, view, onChange, selection, onChoose }: StudentTableProps) {
  const columns = columnsOf(view);
  const ids = students.map(({ id }) => id);
  const isAll = ids.every((id) => selection.has(id));
  const toggle = (ids: readonly string[], isChosen: boolean) =>
    onChoose([...[...selection].filter((id) => !ids.includes(id)), ...(isChosen ? ids : [])]);
  const sortHeaders: Partial<Record<StudentColumn, StudentSort>> = { email: "email", country: "country" };
  const sortable = { view, onChange };
  return (
    <section className={classes.scroller} aria-label="Students" aria-busy={busy}>
      <table className={classes.table}>
        <thead>
          <tr>
            <SortHeader sort="name" label="Name" {...sortable}>
              <input
                type="checkbox"
                className={classes.box}
                aria-label="Choose all students on this page"
                checked={isAll}
                onChange={({ currentTarget }) => toggle(ids, currentTarget.checked)}
              />
            </SortHeader>
            <th scope="col" className={classes.cardsOnly}>
              Progress
            </th>
            {columns.map((column) => {
              const sort = sortHeaders[column];
              return sort ? (
                <SortHeader key={column} sort={sort} label={studentColumns[column]} {...sortable} />
              ) : (
                <th key={column} scope="col">
                  {studentColumns[column]}
                </th>
              );
            })}
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
              columns={columns}
              isChosen={selection.has(student.id)}
              onChoose={(isChosen) => toggle([student.id], isChosen)}
              actions={actions}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

type SortHeaderProps = ViewProps & { sort: StudentSort; label: string; children?: ReactNode };

function SortHeader({ sort, label, view, onChange, children }: SortHeaderProps) {
  const order = view.sort === sort ? view.direction : "none";
  const Icon = { none: IconArrowsSort, ascending: IconArrowUp, descending: IconArrowDown }[order];
  const direction = order === "ascending" ? "descending" : "ascending";
  return (
    <th scope="col" aria-sort={order}>
      {children}
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

const noMatches: EmptyText = {
  title: "No students here now",
  text: "What was waiting may have been done meanwhile.",
  action: { label: "Clear filters", changes: noFacets },
};

const nobodyFits: EmptyText = {
  title: "Nobody is known to fit",
  text: "Students are listed once their record meets every requirement, or all but one. Many may still have none.",
  action: { label: "Stop comparing", changes: noFitting },
};

const notFound = (search: string): EmptyText => ({
  title: "No students found",
  text: `No name, email or phone number here contains “${search}”. Try a part of it.`,
  action: { label: "Clear search", changes: { search: "" } },
});

/** Says why the list is empty, and what to do about it. */
function EmptyList({ view, onChange }: ViewProps) {
  const search = view.search.trim();
  const filtered = view.fits === null ? noMatches : nobodyFits;
  const unfiltered = isFiltered(view) ? filtered : empty[view.filter];
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
