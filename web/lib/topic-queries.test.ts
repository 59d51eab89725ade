import { afterEach, beforeEach, expect, test } from "vitest";
import { dashboardEvent, threadTopic } from "#protocol/live-topic.ts";
import { queryClient } from "./query-client.ts";
import { api } from "./rpc.ts";
import { refetchTopic } from "./topic-queries.ts";

const keys = {
  answers: api.programmes.answers.key(),
  applications: api.applications.mine.key(),
  dashboard: api.students.dashboard.key(),
  details: api.students.details.key(),
  documents: api.documents.ofStudent.key(),
  forStudent: api.programmes.forStudent.key(),
  shortlist: api.shortlist.list.key(),
  notifications: api.notifications.list.key(),
  threads: api.conversations.list.key(),
  messages: api.conversations.messages.key(),
};

beforeEach(() => {
  for (const key of Object.values(keys)) queryClient.setQueryData(key, {});
});
afterEach(() => queryClient.clear());

/** Returns the queries that are refetched once a component shows them. */
const stale = () =>
  Object.entries(keys).flatMap(([name, key]) =>
    queryClient.getQueryState(key)?.isInvalidated ? [name] : [],
  );

test.each([
  ["applications", ["applications", "dashboard", "details"]],
  ["documents", ["dashboard", "details", "documents"]],
  ["profile", ["answers", "applications", "dashboard", "details", "forStudent"]],
  ["shortlist", ["details", "shortlist"]],
  ["students", ["answers", "applications", "dashboard", "details", "documents", "forStudent", "shortlist"]],
] as const)(
  "an event about %s on a dashboard refetches only the queries that show them",
  (subject, queries) => {
    refetchTopic("dashboard", dashboardEvent(subject));
    expect(stale()).toEqual(queries);
  },
);

test.each([
  ["an opened stream", "dashboard", null],
  ["an event of a former version", "dashboard", "{}"],
  ["an event of a later version", "dashboard", '{"about":"payments"}'],
  ["any event", "students", '{"about":"shortlist"}'],
] as const)("%s on %s refetches everything about students", (_what, topic, data) => {
  refetchTopic(topic, data);
  expect(stale()).toEqual([
    "answers",
    "applications",
    "dashboard",
    "details",
    "documents",
    "forStudent",
    "shortlist",
  ]);
});

test("an event in a thread refetches its messages, and one about conversations their list and the next step", () => {
  refetchTopic(threadTopic("3f0c1a52-7f5e-4f43-9c3a-0d6f4f3f9b11"), "{}");
  expect(stale()).toEqual(["messages"]);
  refetchTopic("conversations", "{}");
  expect(stale()).toEqual(["dashboard", "threads", "messages"]);
});
