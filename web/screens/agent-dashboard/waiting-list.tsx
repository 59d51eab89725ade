import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { waitingLimit } from "#protocol/page-sizes.ts";
import { api } from "../../lib/rpc.ts";
import { useLive } from "../../lib/use-live.ts";
import { Button } from "../../ui/button.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { forAgent, forStudents, type WaitingGroup } from "./waiting-entries.ts";
import classes from "./waiting-list.module.css";

const waitingQuery = (all: boolean) => api.students.waiting.queryOptions({ input: { all } });

/** What waits for the agent, before anything else, and then what waits for their students. */
export function WaitingList() {
  useLive("dashboard");
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const { data, error, refetch } = useQuery({
    ...waitingQuery(opened.size > 0),
    placeholderData: keepPreviousData,
  });
  const showing = { opened, onOpen: (key: string) => setOpened(new Set([...opened, key])) };
  return (
    <>
      <section className={classes.waiting} aria-labelledby="waiting">
        <h2 id="waiting" className={classes.heading}>
          Waiting for you
        </h2>
        {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton h={96} mt={12} label="Loading what's waiting for you" />}
        {data && <Groups groups={forAgent(data)} {...showing} />}
      </section>
      {data && data.students.total > 0 && (
        <section className={classes.waiting} aria-labelledby="waiting-for-students">
          <h2 id="waiting-for-students" className={classes.heading}>
            Waiting for your students
          </h2>
          <Groups groups={forStudents(data)} {...showing} />
        </section>
      )}
    </>
  );
}

type Showing = { opened: ReadonlySet<string>; onOpen: (key: string) => void };

function Groups({ groups, opened, onOpen }: Showing & { groups: readonly WaitingGroup[] }) {
  const waiting = groups.filter(({ total }) => total > 0);
  if (waiting.length === 0) return <p className={classes.nothing}>Nothing needs your attention right now.</p>;
  return (
    <div className={classes.groups}>
      {waiting.map((group) => (
        <Group
          key={group.key}
          group={group}
          isOpened={opened.has(group.key)}
          onOpen={() => onOpen(group.key)}
        />
      ))}
    </div>
  );
}

type GroupProps = { group: WaitingGroup; isOpened: boolean; onOpen: () => void };

function Group({ group: { title, entries, total }, isOpened, onOpen }: GroupProps) {
  const shown = isOpened ? entries : entries.slice(0, waitingLimit.first);
  const left = total - shown.length;
  return (
    <div>
      <h3 className={classes.title}>
        {title} <span className={classes.total}>{total}</span>
      </h3>
      <ul className={classes.list} aria-label={title}>
        {shown.map(({ key, to, name, text }) => (
          <li key={key}>
            <Link to={to} className={classes.entry}>
              <span className={classes.name}>{name}</span>
              <span className={classes.text}>{text}</span>
            </Link>
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Button variant="subtle" size="compact-md" aria-label={`and ${left} more: ${title}`} onClick={onOpen}>
          and {left} more
        </Button>
      )}
    </div>
  );
}
