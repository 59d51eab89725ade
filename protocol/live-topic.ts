import { isUuid } from "#domain/uuid.ts";

/**
 * Topics of the viewer's own data. `account`: their account changed. `agents`: the admin's lists of agents changed.
 * `conversations`: one of their conversations changed, or how far they have read it. `dashboard`: something on their
 * dashboard changed. `notifications`: the bell has a new entry. `students`: something about any student changed, for
 * everyone who manages students. `webhooks`: something was sent to one of theirs. An event says only that something
 * changed, on `dashboard` also what: the page then queries the new state.
 */
const ownTopics = [
  "account",
  "agents",
  "conversations",
  "dashboard",
  "notifications",
  "students",
  "webhooks",
] as const;
export type OwnTopic = (typeof ownTopics)[number];

/** Subjects that an event on `dashboard` can name as changed. `students`: accounts and their assigned agents. */
const dashboardSubjects = ["applications", "documents", "plan", "profile", "shortlist", "students"] as const;
export type DashboardSubject = (typeof dashboardSubjects)[number];
/** Returns the data of an event on `dashboard`. */
export const dashboardEvent = (about: DashboardSubject): string => JSON.stringify({ about });
/** Parses the data of an event on `dashboard`. Null means that anything may have changed. */
export const subjectOfEvent = (data: string | null): DashboardSubject | null =>
  dashboardSubjects.find((subject) => data === dashboardEvent(subject)) ?? null;

/** One product, watched by anyone; its event carries the product's state. */
export type ProductTopic = `product:${string}`;
/** One product in a list, watched by anyone; its event carries the state of its card. */
export type CardTopic = `card:${string}`;
/** Records that only some users may watch. Events only say that a record changed. `notes`: those about a student. */
export const guardedSubjects = ["application", "notes", "thread"] as const;
export type GuardedSubject = (typeof guardedSubjects)[number];
export type GuardedTopic = `${GuardedSubject}:${string}`;
/** Topics that a page can watch over its one event stream. */
export type LiveTopic = OwnTopic | ProductTopic | CardTopic | GuardedTopic;

/** Most products that one stream can watch. */
export const productsPerStream = 20;
/** Most cards that one stream can watch: more than fit on a screen. */
export const cardsPerStream = 60;
/** Most guarded topics that one stream can watch. */
export const guardedPerStream = 20;

const subjects = ["product", "card", ...guardedSubjects] as const;

export const isProductTopic = (topic: LiveTopic): topic is ProductTopic => topic.startsWith("product:");
export const isCardTopic = (topic: LiveTopic): topic is CardTopic => topic.startsWith("card:");

/** Returns the subject of a guarded topic; null for any other topic. */
export const guardedSubjectOf = (topic: LiveTopic): GuardedSubject | null =>
  guardedSubjects.find((subject) => topic.startsWith(`${subject}:`)) ?? null;
export const isGuardedTopic = (topic: LiveTopic): topic is GuardedTopic => guardedSubjectOf(topic) !== null;

const topicOf = <Subject extends (typeof subjects)[number]>(subject: Subject, text: string) => {
  const id = text.toLowerCase();
  return isUuid(id) ? (`${subject}:${id}` as const) : null;
};

/** Returns the topic of a product, or null if the text isn't an id. */
export const productTopic = (productId: string): ProductTopic | null => topicOf("product", productId);
export const cardTopic = (productId: string): CardTopic => `card:${productId}`;
export const applicationTopic = (applicationId: string) => `application:${applicationId}` as const;
export const threadTopic = (threadId: string) => `thread:${threadId}` as const;
export const notesTopic = (studentId: string) => `notes:${studentId}` as const;

/** Matches the ids of accounts, which aren't UUIDs in a demo. */
const accountId = /^[\w-]{1,64}$/;

function parseTopic(text: string): LiveTopic | null {
  const cut = text.indexOf(":");
  const subject = subjects.find((each) => each === text.slice(0, Math.max(0, cut)));
  if (subject === "notes") {
    const studentId = text.slice(cut + 1);
    return accountId.test(studentId) ? notesTopic(studentId) : null;
  }
  if (subject) return topicOf(subject, text.slice(cut + 1));
  return ownTopics.find((topic) => topic === text) ?? null;
}

/** Most topics of a kind on one stream. */
const bounds = [
  [isProductTopic, productsPerStream],
  [isCardTopic, cardsPerStream],
] as const;

/**
 * Parses a list of topics such as `account,product:…`, each once. Unknown ones are left out, and so are products and
 * cards above a stream's limits.
 */
export function parseTopics(list: string): LiveTopic[] {
  let topics = [...new Set(list.split(",").flatMap((text) => parseTopic(text) ?? []))];
  for (const [isOfKind, most] of bounds) {
    const within = topics.filter(isOfKind).slice(0, most);
    topics = [...topics.filter((topic) => !isOfKind(topic)), ...within];
  }
  return topics;
}

/**
 * Besides topics, a stream carries `signed-out`: its session has ended, and the stream ends too. Its data is JSON;
 * `code` is set if the account could not log in again, and is the code that a login would return.
 */
export const signedOutEvent = "signed-out";

/** Sent on an idle stream, so that a page notices a dead one. It is an event because EventSource hides comments. */
export const heartbeatEvent = "heartbeat";
/** Milliseconds between two heartbeats. */
export const heartbeatEvery = 25_000;

/**
 * Codes that refuse a guarded topic, in an event of the topic's own name: `{"refused":"not-found"}`. A granted topic
 * begins with an event too: the page then queries the current state, and is notified of every later change. When a
 * right ends, its topic is refused later. `unavailable`: the right could not be checked, and the stream ends, so that
 * the browser tries again.
 */
export type RefusedCode =
  | "unauthenticated"
  | "account/second-factor-required"
  | "not-found"
  | "resource-exhausted"
  | "unavailable";
