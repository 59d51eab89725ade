import type { StudentFilter } from "#domain/student-list.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { ListView } from "./use-list-view.ts";

type Empty = { title: string; text: string; action?: { label: string; changes: Partial<ListView> } };

const empty: Record<StudentFilter, Empty> = {
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

const notFound = (search: string): Empty => ({
  title: "No students found",
  text: `No name here contains “${search}”. Try part of a first or last name.`,
  action: { label: "Clear search", changes: { search: "" } },
});

type EmptyListProps = { view: ListView; onChange: (changes: Partial<ListView>) => void };

/** Why there are no students in the list, and what to do about it. */
export function EmptyList({ view, onChange }: EmptyListProps) {
  const search = view.search.trim();
  const { title, text, action } = search === "" ? empty[view.filter] : notFound(search);
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
