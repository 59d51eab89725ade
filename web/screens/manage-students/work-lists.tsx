import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { intakeName, isIntake, stateLabels } from "#domain/application.ts";
import { countryName } from "#domain/country.ts";
import { studentFacets } from "#domain/student-list.ts";
import { studentsPath } from "#protocol/addresses.ts";
import { api, type rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Retry } from "../../ui/retry.tsx";
import classes from "./work-lists.module.css";

type Figures = Awaited<ReturnType<typeof rpc.students.figures>>;
type Entry = { key: string; label: string; students: number; to: string };

/**
 * Counts students by state, pending matters, intake, country of study and agent; each figure leads to its list. Takes
 * up no room while loading: giving that up again would move everything above on a screen scrolled to its end.
 */
export function WorkLists() {
  const viewer = useViewer();
  const { data, error, refetch } = useQuery({
    ...api.students.figures.queryOptions(),
    refetchInterval: 60_000,
  });
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const lists = listsOf(data, viewer?.role === "admin" ? {} : { filter: "mine" }).filter(
    ({ entries }) => entries.length > 0,
  );
  if (lists.length === 0) return null;
  return (
    <section className={classes.lists} aria-label="Students by application">
      {lists.map(({ title, entries }) => (
        <div key={title} className={classes.list}>
          <h2 className={classes.title}>{title}</h2>
          <ul>
            {entries.map(({ key, label, students, to }) => (
              <li key={key}>
                <Link to={to}>{label}</Link>
                <span className={classes.number}>{students}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function listsOf(
  { byState, byWaiting, byIntake, byDestination, byAgent }: Figures,
  mine: { filter?: "mine" },
): { title: string; entries: Entry[] }[] {
  return [
    {
      title: "By state",
      entries: byState.map(({ value, students }) => ({
        key: value,
        label: stateLabels[value],
        students,
        to: studentsPath({ ...mine, situation: value }),
      })),
    },
    {
      title: "Waiting",
      entries: byWaiting.map(({ value, students }) => ({
        key: value,
        label: studentFacets.waiting.choices[value],
        students,
        to: studentsPath({ ...mine, waiting: value }),
      })),
    },
    {
      title: "By intake",
      entries: byIntake.map(({ value, students }) => ({
        key: value,
        label: isIntake(value) ? intakeName[value] : value,
        students,
        to: studentsPath({ ...mine, intake: value }),
      })),
    },
    {
      title: "By study country",
      entries: byDestination.map(({ value, students }) => ({
        key: value,
        label: countryName(value),
        students,
        to: studentsPath({ ...mine, destination: value }),
      })),
    },
    {
      title: "By agent",
      entries: byAgent.map(({ agent, students }) => ({
        key: agent.id,
        label: agent.name,
        students,
        to: studentsPath({ agentId: agent.id }),
      })),
    },
  ];
}
