import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SavedView } from "#contract/saved-views.ts";
import { savedViewLimits, viewCount, viewNameProblem } from "#domain/saved-view.ts";
import { announce } from "../../lib/announce.ts";
import { useFormats } from "../../lib/format-date.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Button } from "../../ui/button.tsx";
import dialog from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { TextField } from "../../ui/form/fields.tsx";
import { ModalForm } from "../../ui/modal-form.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import classes from "./tools.module.css";
import { changesFor, columnsOf, inputOf, type ListView } from "./use-list-view.ts";

type ViewsDialogProps = {
  opened: boolean;
  view: ListView;
  onChange: (changes: Partial<ListView>) => void;
  onClose: () => void;
};

/** Opens and removes saved views, and saves the current one. */
export const ViewsDialog = ({ opened, onClose, ...props }: ViewsDialogProps) => (
  <Dialog wide opened={opened} onClose={onClose} title="Saved views">
    <Views {...props} onClose={onClose} />
  </Dialog>
);

const refresh = () => queryClient.invalidateQueries({ queryKey: api.savedViews.key() });

function Views({ view, onChange, onClose }: Omit<ViewsDialogProps, "opened">) {
  const viewer = useViewer();
  const [shared, setShared] = useState(false);
  const { data, error, refetch } = useQuery(api.savedViews.list.queryOptions());
  const removal = useMutation({
    mutationFn: ({ id }: SavedView) => rpc.savedViews.remove({ id }),
    onSuccess: (_, { name }) => announce(`${name} is removed.`),
    onSettled: refresh,
  });
  return (
    <>
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={120} label="Loading saved views" />}
      {data?.views.length === 0 && <p className={dialog.words}>There are no saved views yet.</p>}
      {data && data.views.length > 0 && (
        <ul className={classes.list} aria-label="Saved views">
          {data.views.map((view) => (
            <li key={view.id} className={classes.view}>
              <span className={classes.name}>
                <strong>{view.name}</strong>
                <span className={classes.note}>
                  {view.shared ? "For everyone" : "Only for you"} · <Count id={view.id} />
                </span>
              </span>
              <span className={classes.buttons}>
                {view.mayChange && (
                  <Button
                    variant="subtle"
                    size="compact-md"
                    disabled={removal.isPending}
                    aria-label={`Remove ${view.name}`}
                    onClick={() => removal.mutate(view)}
                  >
                    Remove
                  </Button>
                )}
                <Button
                  variant="default"
                  size="compact-md"
                  aria-label={`Open ${view.name}`}
                  onClick={() => {
                    onChange(changesFor(view.view, view.columns));
                    onClose();
                  }}
                >
                  Open
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      <h3>Save the list as it is now</h3>
      <ModalForm
        errorTitle="Error"
        fields={["name"]}
        draftName="save view"
        check={({ name }) => viewNameProblem(name)}
        send={async ({ name }) => {
          await rpc.savedViews.save({ name, view: inputOf(view), columns: [...columnsOf(view)], shared });
          announce(`${name.trim()} is saved.`);
          await refresh();
        }}
        onDone={onClose}
        onCancel={onClose}
        cancel="Close"
        action="Save view"
        busyText="Saving..."
      >
        <TextField
          name="name"
          label="Name"
          description="With its filters, columns and order. A view of the same name is replaced."
          maxLength={savedViewLimits.name}
        />
        {viewer?.role === "admin" && (
          <label className={classes.choice}>
            <input
              type="checkbox"
              className={classes.box}
              checked={shared}
              onChange={({ currentTarget }) => setShared(currentTarget.checked)}
            />
            For all agents and admins
          </label>
        )}
      </ModalForm>
      <ErrorModal title="Error" error={removal.error} onClose={removal.reset} />
    </>
  );
}

/** The number of a view's students, with the time at which they were counted. */
function Count({ id }: { id: string }) {
  const { formatMoment } = useFormats();
  const { data } = useQuery({
    ...api.savedViews.count.queryOptions({ input: { id } }),
    staleTime: viewCount.seconds * 1000,
  });
  if (!data) return "Counting...";
  const number = `${data.students.toLocaleString("en")}${data.more ? "+" : ""}`;
  return `${number} ${data.students === 1 ? "student" : "students"} on ${formatMoment(data.countedAt)}`;
}
