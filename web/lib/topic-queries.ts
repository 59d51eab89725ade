import type { QueryKey } from "@tanstack/react-query";
import {
  type DashboardSubject,
  type GuardedSubject,
  guardedSubjectOf,
  type LiveTopic,
  type OwnTopic,
  subjectOfEvent,
} from "#protocol/live-topic.ts";
import { queryClient } from "./query-client.ts";
import { api } from "./rpc.ts";

const [applications, documents, offers, plan, record, shortlist, students] = [
  api.applications.key(),
  api.documents.key(),
  api.offers.key(),
  api.planner.key(),
  api.studyRecord.key(),
  api.shortlist.key(),
  api.students.key(),
];
/** The queries that compare programmes with a student's record. */
const fitting = [api.programmes.forStudent.key(), api.programmes.answers.key()];
const ofStudents = [applications, documents, offers, plan, record, shortlist, students, ...fitting];

/** The queries to refetch when a topic changes. */
const queriesOf: Partial<Record<LiveTopic, readonly QueryKey[]>> & Record<OwnTopic, readonly QueryKey[]> = {
  account: [api.account.me.key(), api.signInMethods.key()],
  agents: [api.agents.key(), api.overview.key()],
  conversations: [
    api.conversations.list.key(),
    api.conversations.counts.key(),
    api.conversations.open.key(),
    api.students.dashboard.key(),
  ],
  dashboard: ofStudents,
  notifications: [
    api.notifications.key(),
    api.auctions.myBids.key(),
    api.auctions.relation.key(),
    api.auctions.openQuestions.key(),
    api.sales.key(),
    api.watching.items.key(),
    api.watching.searches.key(),
    api.invitations.list.key(),
    api.tradeReports.key(),
  ],
  students: ofStudents,
  webhooks: [api.webhooks.key()],
};

/** The queries to refetch when a guarded record changes. */
const queriesOfRecord: Record<GuardedSubject, readonly QueryKey[]> = {
  application: [applications, offers],
  notes: [api.notes.key()],
  thread: [api.conversations.thread.key(), api.conversations.messages.key()],
};

/** The queries to refetch when this changes on a dashboard. */
const queriesAbout: Record<DashboardSubject, readonly QueryKey[]> = {
  applications: [applications, offers, students, plan],
  documents: [documents, students, plan, api.applications.confirmation.key()],
  // A document that is accepted on request joins the list that the student confirms.
  plan: [plan, api.applications.confirmation.key(), api.students.dashboard.key()],
  // The steps of an application name who took them, and programmes are compared with the student's record.
  profile: [students, applications, record, ...fitting],
  shortlist: [shortlist, api.students.details.key()],
  // Another agent may see other documents and applications.
  students: ofStudents,
};

function queriesChangedBy(topic: LiveTopic, data: string | null): readonly QueryKey[] {
  const record = guardedSubjectOf(topic);
  if (record) return queriesOfRecord[record];
  const subject = topic === "dashboard" ? subjectOfEvent(data) : null;
  return (subject === null ? queriesOf[topic] : queriesAbout[subject]) ?? [];
}

/** Refetches what an event may have changed. `data` is the event's, or null if events may have been missed. */
export function refetchTopic(topic: LiveTopic, data: string | null): void {
  for (const queryKey of queriesChangedBy(topic, data)) void queryClient.invalidateQueries({ queryKey });
}
