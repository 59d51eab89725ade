import type { QueryKey } from "@tanstack/react-query";
import { type DashboardSubject, type LiveTopic, type OwnTopic, subjectOfNews } from "#protocol/live-topic.ts";
import { queryClient } from "./query-client.ts";
import { api } from "./rpc.ts";

const [applications, documents, shortlist, students] = [
  api.applications.key(),
  api.documents.key(),
  api.shortlist.key(),
  api.students.key(),
];
const ofStudents = [applications, documents, shortlist, students];

/** The queries to refetch when a topic changes. */
const queriesOf: Partial<Record<LiveTopic, readonly QueryKey[]>> & Record<OwnTopic, readonly QueryKey[]> = {
  account: [api.account.me.key(), api.signInMethods.key()],
  agents: [api.agents.key(), api.overview.key()],
  dashboard: ofStudents,
  notifications: [api.notifications.key(), api.auctions.myBids.key()],
  students: ofStudents,
  webhooks: [api.webhooks.key()],
};

/** The queries to refetch when this changes on a dashboard. */
const queriesAbout: Record<DashboardSubject, readonly QueryKey[]> = {
  applications: [applications, students],
  documents: [documents, students],
  // The steps of an application name who took them.
  profile: [students, applications],
  shortlist: [shortlist, api.students.details.key()],
  // Another agent may see other documents and applications.
  students: ofStudents,
};

/** Refetches what an event may have changed. `data` is the event's, or null where events may have been missed. */
export function refetchTopic(topic: LiveTopic, data: string | null): void {
  const subject = topic === "dashboard" ? subjectOfNews(data) : null;
  const queries = subject === null ? queriesOf[topic] : queriesAbout[subject];
  for (const queryKey of queries ?? []) void queryClient.invalidateQueries({ queryKey });
}
