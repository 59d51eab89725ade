import { IconExternalLink } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useNavigate } from "react-router";
import type { Application } from "#contract/applications.ts";
import type { ShortlistItem } from "#contract/shortlist.ts";
import { type CurrentState, currentStateLabels } from "#domain/intake.ts";
import { intakeWords } from "#domain/programme-words.ts";
import { isFor, visitableUrl } from "#domain/shortlist.ts";
import { applicationPath, programmePath } from "#protocol/addresses.ts";
import { announce } from "../../lib/announce.ts";
import { passFocusOn } from "../../lib/focus.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { prefill } from "../application/application-form.tsx";
import { applyPath } from "../programmes/paths.ts";
import classes from "./shortlist-table.module.css";

type ShortlistTableProps = {
  items: readonly ShortlistItem[];
  /** Whether the viewer is the student, who applies for the items. */
  isOwn: boolean;
};

/** The items of a shortlist, with Apply, Visit and Remove. */
export function ShortlistTable({ items, isOwn }: ShortlistTableProps) {
  const applied = useApplied(isOwn);
  const { mutate, variables, isPending, error, reset } = useMutation(
    api.shortlist.remove.mutationOptions({
      onSuccess: () => announce("Item removed successfully!"),
      // Refetches after a failure too, which may be a conflict.
      onSettled: () => queryClient.invalidateQueries({ queryKey: api.shortlist.key() }),
    }),
  );
  const [itemToRemove, setItemToRemove] = useState<ShortlistItem | null>(null);
  return (
    <>
      {items.length === 0 ? (
        <EmptyState
          title="No items in the shortlist."
          text="Add a university and a course above, and they'll appear here. Or press Shortlist on a programme's page."
        >
          <LinkButton to="/programmes">See all programmes</LinkButton>
        </EmptyState>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">University</th>
              <th scope="col">Course</th>
              <th scope="col" className={classes.actions}>
                URL
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <Row
                key={item.id}
                item={item}
                apply={isOwn && <Apply item={item} applications={applied} />}
                busy={isPending && variables.id === item.id}
                onRemove={() => setItemToRemove(item)}
              />
            ))}
          </tbody>
        </table>
      )}
      <ConfirmModal
        question={itemToRemove && removalOf(itemToRemove)}
        onCancel={() => setItemToRemove(null)}
        onConfirm={() => {
          if (itemToRemove) mutate({ id: itemToRemove.id });
          setItemToRemove(null);
        }}
      />
      <ErrorModal title="Shortlist Error" error={error} onClose={reset} />
    </>
  );
}

const removalOf = ({ university, course }: ShortlistItem) => ({
  title: "Remove item",
  text: `Remove ${course} at ${university} from the shortlist?`,
  action: "Remove",
});

/** Returns the student's own applications; none until they are known, and for staff. */
function useApplied(isOwn: boolean): readonly Application[] {
  const { data } = useQuery({ ...api.applications.mine.queryOptions(), enabled: isOwn });
  return data?.applications ?? [];
}

type ApplyProps = { item: ShortlistItem; applications: readonly Application[] };

/** Leads to the application for an item, or to the form with the item's course and university in it. */
function Apply({ item, applications }: ApplyProps) {
  const navigate = useNavigate();
  const { programme } = item;
  const application = applications.find(
    (each) => (programme && each.programme?.id === programme.id) || isFor(each, item),
  );
  if (application)
    return (
      <LinkButton to={applicationPath(application.id)} size="compact-md" aria-describedby={titleOf(item)}>
        Your application
      </LinkButton>
    );
  if (programme && programme.state !== "removed")
    return (
      <LinkButton
        primary={isWorthApplying(programme.state)}
        to={applyPath(programme.slug, programme.intake?.id ?? null)}
        size="compact-md"
        aria-describedby={titleOf(item)}
      >
        Apply
      </LinkButton>
    );
  return (
    <Button
      size="compact-md"
      variant={programme ? "default" : "filled"}
      aria-describedby={titleOf(item)}
      onClick={() => {
        prefill({ program: item.course, university: item.university });
        void navigate("/application?new");
      }}
    >
      Apply
    </Button>
  );
}

/** Whether applying is the next thing to do, which it isn't for a start that is full or over. */
const isWorthApplying = (state: CurrentState | null): boolean => state !== "full" && state !== "closed";

const titleOf = ({ id }: ShortlistItem) => `item-${id}`;

const tones: Record<CurrentState, Tone> = {
  open: "good",
  notYet: "going",
  full: "ended",
  closed: "ended",
  removed: "ended",
};

/** The intake of an item of the catalogue, and its current state. */
const IntakeStatus = ({
  programme: { intake, state },
}: {
  programme: NonNullable<ShortlistItem["programme"]>;
}) => (
  <span className={classes.present}>
    {intake && <span>Starts {intakeWords(intake)}</span>}
    {state && <StateBadge tone={tones[state]}>{currentStateLabels[state]}</StateBadge>}
  </span>
);

type RowProps = { item: ShortlistItem; apply: ReactNode; busy: boolean; onRemove: () => void };

function Row({ item, apply, busy, onRemove }: RowProps) {
  const { university, course, url, programme } = item;
  const titleId = titleOf(item);
  // Checks the address again, because the page decides what it links to.
  const href = url && visitableUrl(url);
  return (
    <tr ref={passFocusOn}>
      <td className={classes.university} id={titleId}>
        {university}
      </td>
      <td>
        {programme ? <TextLink to={programmePath(programme.slug)}>{course}</TextLink> : course}
        {programme && <IntakeStatus programme={programme} />}
      </td>
      <td>
        <div className={classes.buttons}>
          {apply}
          {href && (
            <LinkButton
              to={href}
              target="_blank"
              rel="noopener noreferrer"
              size="compact-md"
              aria-describedby={titleId}
              rightSection={<IconExternalLink size={16} aria-hidden />}
            >
              Visit
            </LinkButton>
          )}
          <Button
            variant="default"
            size="compact-md"
            disabled={busy}
            aria-describedby={titleId}
            aria-haspopup="dialog"
            onClick={onRemove}
          >
            Remove
          </Button>
        </div>
      </td>
    </tr>
  );
}
