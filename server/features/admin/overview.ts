import { applicationStates } from "#domain/application.ts";
import { endsWithin } from "#domain/auction-list.ts";
import type { Database } from "#server/platform/database.ts";
import { countFailedJobs } from "#server/platform/job-failures.ts";
import { mailQueue } from "#server/platform/mail-queue.ts";

/**
 * A single statement, so that all figures show the same moment. Pairs are hashed, because counting distinct students
 * would sort them.
 */
const text = `
  with applied as materialized (select student_id, state from application group by student_id, state)
  select
    (select count(*) from "user" where role = 'agent' and status = 'pending')::int as agents,
    (select min(created_at) from "user" where role = 'agent' and status = 'pending') as "agentsSince",
    (select count(*) from document where state = 'uploaded' and replaced_at is null)::int as documents,
    (select min(uploaded_at) from document where state = 'uploaded' and replaced_at is null) as "documentsSince",
    (select count(distinct student_id) from document
      where state = 'uploaded' and replaced_at is null)::int as "documentsOf",
    (select count(*) from application join "user" on "user".id = student_id and "user".status = 'active'
      where state in ('conditionalOffer', 'unconditionalOffer'))::int as offers,
    (select count(*) from application join "user" on "user".id = student_id and "user".status = 'active'
      join offer on application_id = application.id
      where application.state in ('conditionalOffer', 'unconditionalOffer') and due_at <= now())::int as "offersOverdue",
    (select count(*) from auction_bidding where open and ends_at > now()
      and ends_at <= now() + make_interval(secs => $1))::int as auctions,
    (select count(*) from "user" where role = 'student')::int as students,
    (select count(*) from (select from applied group by student_id) applicants)::int as applicants,
    (select coalesce(json_object_agg(state, number), '{}') from (
      select state, count(*)::int as number from applied group by state
    ) by_state) as "byState"`;

type Row = {
  agents: number;
  agentsSince: Date | null;
  documents: number;
  documentsSince: Date | null;
  documentsOf: number;
  offers: number;
  offersOverdue: number;
  auctions: number;
  students: number;
  applicants: number;
  byState: Record<string, number>;
};

/** Returns the figures at the top of the admin dashboard. */
export async function overviewFigures(database: Pick<Database, "pool">) {
  const query = { name: "admin_overview", text, values: [endsWithin["24h"] / 1000] };
  const [{ rows }, failed] = await Promise.all([database.pool.query<Row>(query), countFailedJobs(database)]);
  const [row] = rows;
  if (!row) throw new Error("counting answered nothing");
  const failedMails = failed.get(mailQueue.name) ?? 0;
  return {
    agents: { number: row.agents, since: row.agentsSince },
    documents: { number: row.documents, since: row.documentsSince, students: row.documentsOf },
    offers: { number: row.offers, overdue: row.offersOverdue },
    auctionsEndingSoon: row.auctions,
    failedMails,
    failedJobs: [...failed.values()].reduce((sum, number) => sum + number, 0) - failedMails,
    students: {
      total: row.students,
      withoutApplication: row.students - row.applicants,
      byState: applicationStates.map((state) => ({ state, number: row.byState[state] ?? 0 })),
    },
  };
}
