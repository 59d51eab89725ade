import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { idleAfterHours, newForDays } from "#domain/student-list.ts";
import { api } from "../../lib/rpc.ts";
import { useLive } from "../../lib/use-live.ts";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { type WaitingEntry, waitingEntries } from "./waiting-entries.ts";
import classes from "./waiting-list.module.css";

export const waitingQuery = api.students.waiting.queryOptions();

/** What waits for the agent, before anything else (issue "Students", item 9). */
export function WaitingList() {
  useLive("desk");
  const { data, error, refetch } = useQuery(waitingQuery);
  return (
    <section className={classes.waiting} aria-labelledby="waiting">
      <Title order={2} size="h3" id="waiting">
        Waiting for you
      </Title>
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={96} mt="sm" label="Loading what waits for you" />}
      {data && <Groups {...waitingEntries(data)} />}
    </section>
  );
}

function Groups({ documents, applications, assigned }: ReturnType<typeof waitingEntries>) {
  if (documents.length + applications.length + assigned.length === 0)
    return <p className={classes.nothing}>Nothing waits for you at the moment.</p>;
  return (
    <div className={classes.groups}>
      <Group title="Documents to review" entries={documents} />
      <Group title={`Applications with nothing done for ${idleAfterHours} hours`} entries={applications} />
      <Group title={`Assigned to you in the last ${newForDays} days`} entries={assigned} />
    </div>
  );
}

function Group({ title, entries }: { title: string; entries: readonly WaitingEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <div>
      <h3 className={classes.title}>{title}</h3>
      <ul className={classes.list}>
        {entries.map(({ key, to, name, text }) => (
          <li key={key}>
            <Link to={to} className={classes.entry}>
              <span className={classes.name}>{name}</span>
              <span className={classes.text}>{text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
