import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { announce } from "../../lib/announce.ts";
import { formatDate } from "../../lib/format-date.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmModal } from "../../ui/confirm-modal.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Field, Select } from "../../ui/form/fields.tsx";
import { Retry } from "../../ui/retry.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import classes from "./notifications.module.css";

const settingsQuery = api.planner.settings.queryOptions();
const refetch = () => queryClient.invalidateQueries({ queryKey: api.planner.key() });

/** The time zone of reminders, and the address from which a calendar program reads deadlines. */
export function OwnClock() {
  const { data, error, refetch: again } = useQuery(settingsQuery);
  return (
    <section className={classes.mails} aria-labelledby="clock">
      <h2 id="clock" className={classes.heading}>
        Reminders and calendar
      </h2>
      {data && <TimeZone timeZone={data.timeZone} />}
      {data && <Calendar madeAt={data.calendarMadeAt} />}
      {!data && error && <Retry error={error} onRetry={() => void again()} />}
      {!data && !error && <Skeleton h={140} mt={16} label="Loading your clock" />}
    </section>
  );
}

function TimeZone({ timeZone }: { timeZone: string | null }) {
  const { mutate, isPending, variables, error, reset } = useMutation(
    api.planner.setTimeZone.mutationOptions({
      onSuccess: () => announce("Time zone saved."),
      onSettled: refetch,
    }),
  );
  const current = isPending ? variables.timeZone : (timeZone ?? "UTC");
  const zones = [...new Set([current, "UTC", ...Intl.supportedValuesOf("timeZone")])].toSorted();
  return (
    <>
      <Field
        label="Your time zone"
        description="We remind you at 9:00 on this clock, and your own deadlines go by it."
      >
        {(control) => (
          <Select
            {...control}
            value={current}
            data={zones.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))}
            onChange={({ currentTarget: { value } }) => mutate({ timeZone: value })}
          />
        )}
      </Field>
      <ErrorModal title="Error" error={error} onClose={reset} />
    </>
  );
}

const replacing = {
  title: "Replace the address?",
  text: "Calendars that read the present address will stop being updated.",
  action: "Replace it",
};

function Calendar({ madeAt }: { madeAt: Date | null }) {
  const [url, setUrl] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const making = useMutation(
    api.planner.makeCalendar.mutationOptions({
      onSuccess: (calendar) => setUrl(calendar.url),
      onSettled: refetch,
    }),
  );
  const removing = useMutation(api.planner.removeCalendar.mutationOptions({ onSettled: refetch }));
  const busy = making.isPending || removing.isPending;
  return (
    <>
      <p className={classes.lead}>
        {madeAt
          ? `Your calendar has had its own address since ${formatDate(madeAt)}. Whoever knows it can read your deadlines, but nothing else.`
          : "Subscribe to your deadlines in your phone's or computer's calendar."}
      </p>
      <div className={classes.buttons}>
        <Button
          variant="default"
          disabled={busy}
          onClick={() => (madeAt ? setAsking(true) : making.mutate({}))}
        >
          {madeAt ? "Replace the address" : "Make a calendar address"}
        </Button>
        {madeAt && (
          <Button variant="subtle" disabled={busy} onClick={() => removing.mutate({})}>
            Remove it
          </Button>
        )}
      </div>
      <ConfirmModal
        question={asking ? replacing : null}
        onConfirm={() => {
          setAsking(false);
          making.mutate({});
        }}
        onCancel={() => setAsking(false)}
      />
      <SecretDialog
        title="Your calendar's address"
        words="Add it to your calendar as a subscription. Keep it to yourself, and copy it now: you won't see it again."
        secret={url}
        onDone={() => setUrl(null)}
      />
      <ErrorModal
        title="Error"
        error={making.error ?? removing.error}
        onClose={() => {
          making.reset();
          removing.reset();
        }}
      />
    </>
  );
}
