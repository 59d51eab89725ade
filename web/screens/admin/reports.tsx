import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { stateLabels } from "#domain/application.ts";
import { type Report, reportLabels, reportRows } from "#domain/enrolment-report.ts";
import { accountPath, reportFile, studentsPath } from "#protocol/addresses.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { api } from "../../lib/rpc.ts";
import { useAddressView } from "../../lib/use-address-view.ts";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { AdminNav } from "./admin-nav.tsx";
import table from "./data-table.module.css";
import { type Column, DataTable } from "./data-table.tsx";
import filters from "./filters.module.css";
import { ChoiceFilter } from "./filters.tsx";
import { TableSkeleton } from "./paged-table.tsx";
import classes from "./reports.module.css";

export const meta = () => pageMeta("Reports");

type View = { year: string | null };
const readView = (params: URLSearchParams): View => {
  const year = params.get("year");
  return { year: year !== null && /^20\d\d$/.test(year) ? year : null };
};

/** Returns the last five years, and the one that the address names. */
function yearsToChoose(year: string | null): string[] {
  const now = new Date().getUTCFullYear();
  const years = Array.from({ length: 5 }, (_, ago) => String(now - ago));
  return year === null || years.includes(year) ? years : [...years, year];
}

const inputOf = ({ year }: View) => ({ input: year === null ? {} : { year: Number(year) } });
const monthName = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/** Enrolments by month, agent and university, and the duration of each state, all with a CSV file. */
export default function Reports() {
  const [view, onChange] = useAddressView(readView, {});
  const years = yearsToChoose(view.year);
  return (
    <Page wide title="Reports">
      <AdminNav />
      <search className={filters.filters}>
        <ChoiceFilter
          label="Year"
          all="All years"
          labels={Object.fromEntries(years.map((year) => [year, year]))}
          options={years}
          value={view.year}
          onChange={(year) => onChange({ year })}
        />
      </search>
      <div className={classes.reports}>
        <Enrolments view={view} />
        <Stays view={view} />
      </div>
    </Page>
  );
}

const enrolments: Column<{ enrolments: number }> = {
  title: "Enrolments",
  holds: "number",
  render: (row) => row.enrolments,
};

function Enrolments({ view }: { view: View }) {
  const { data, error, refetch } = useQuery({
    ...api.reports.enrolments.queryOptions(inputOf(view)),
    placeholderData: keepPreviousData,
  });
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <TableSkeleton label="Loading enrolments" />;
  const { months, agents, universities } = data;
  return (
    <>
      <Section report="months" year={view.year} note="By the month of the step to Enrolled, in UTC.">
        <Rows
          columns={[
            { title: "Month", render: ({ month }) => monthName.format(new Date(`${month}-01`)) },
            enrolments,
          ]}
          rows={months.map((row) => ({ ...row, id: row.month }))}
        />
      </Section>
      <Section
        report="agents"
        year={view.year}
        note={mostOf("By the agent that the students have now.", agents)}
      >
        <Rows
          columns={[
            {
              title: "Agent",
              holds: "long",
              render: ({ agent }) =>
                agent ? <TextLink to={accountPath(agent.id)}>{agent.name}</TextLink> : "No agent",
            },
            enrolments,
          ]}
          rows={agents.map((row) => ({ ...row, id: row.agent?.id ?? "" }))}
        />
      </Section>
      <Section
        report="universities"
        year={view.year}
        note={mostOf("As the applications name them.", universities)}
      >
        <Rows
          columns={[
            { title: "University", holds: "long", render: ({ university }) => university || "Not named" },
            enrolments,
          ]}
          rows={universities.map((row) => ({ ...row, id: row.university }))}
        />
      </Section>
    </>
  );
}

const mostOf = (note: string, rows: readonly unknown[]) =>
  rows.length < reportRows ? note : `${note} These are the ${reportRows} with the most.`;

const days = (number: number | null) => number?.toFixed(1) ?? "–";

function Stays({ view }: { view: View }) {
  const { data, error, refetch } = useQuery({
    ...api.reports.stays.queryOptions(inputOf(view)),
    placeholderData: keepPreviousData,
  });
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <TableSkeleton label="Loading the states" />;
  const rows = data.states
    .filter(({ ended, current }) => ended + current > 0)
    .map((row) => ({ ...row, id: row.state }));
  return (
    <Section
      report="stays"
      year={view.year}
      note="Half of the stays that ended lasted at most the median; nine in ten at most the longer time."
    >
      <Rows
        columns={[
          {
            title: "State",
            render: ({ state }) => (
              <TextLink to={studentsPath({ situation: state })}>{stateLabels[state]}</TextLink>
            ),
          },
          { title: "Ended", holds: "number", render: ({ ended }) => ended },
          { title: "Median days", holds: "number", render: ({ medianDays }) => days(medianDays) },
          { title: "Nine in ten", holds: "number", render: ({ slowDays }) => days(slowDays) },
          { title: "There now", holds: "number", render: ({ current }) => current },
        ]}
        rows={rows}
      />
    </Section>
  );
}

type SectionProps = { report: Report; year: string | null; note: string; children: ReactNode };

function Section({ report, year, note, children }: SectionProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId}>
      <div className={classes.head}>
        <h2 id={titleId} className={classes.title}>
          {reportLabels[report]}
        </h2>
        <a
          href={reportFile(report, year)}
          download
          className={filters.download}
          aria-label={`Download CSV: ${reportLabels[report]}`}
        >
          Download CSV
        </a>
      </div>
      <p className={filters.note}>{note}</p>
      {children}
    </section>
  );
}

function Rows<Row extends { id: string }>({ columns, rows }: { columns: Column<Row>[]; rows: Row[] }) {
  if (rows.length === 0) return <p className={filters.note}>Nothing yet.</p>;
  return (
    <div className={table.scroller}>
      <DataTable columns={columns} rows={rows} />
    </div>
  );
}
