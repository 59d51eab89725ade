import { isAdmin, mayManageStudents } from "#domain/permission.ts";
import {
  type GuardedSubject,
  type GuardedTopic,
  guardedSubjects,
  isCardTopic,
  isGuardedTopic,
  isProductTopic,
  type LiveTopic,
  type OwnTopic,
} from "#protocol/live-topic.ts";
import { conversationsChannel, dashboardChannel, studentsChannel } from "#server/live-channels.ts";
import type { Reader } from "#server/platform/database.ts";
import type { Right } from "#server/platform/guarded-topics.ts";
import { registered } from "#server/platform/mail-queue.ts";
import { visitor } from "#server/procedures.ts";
import { account } from "./account/procedures.ts";
import { securityMail } from "./account/security-mails.ts";
import { accounts, auditLog, jobs, overview, reports } from "./admin/procedures.ts";
import { decisionMail } from "./agents/mails.ts";
import { agents } from "./agents/procedures.ts";
import { agreements, answersWithAgreement } from "./agreements/procedures.ts";
import { apiKeys } from "./api-keys/procedures.ts";
import { applications } from "./applications/procedures.ts";
import { studentsOfWatchable } from "./applications/queries.ts";
import { bidding } from "./auctions/bidding/procedures.ts";
import { catalogue } from "./auctions/catalogue/procedures.ts";
import { sales } from "./auctions/sales/procedures.ts";
import { selling } from "./auctions/selling/procedures.ts";
import { watching } from "./auctions/watching/procedures.ts";
import { bulkRuns } from "./bulk-runs/procedures.ts";
import { contactMail } from "./contact/mails.ts";
import { contact } from "./contact/procedures.ts";
import { studentsOfWatchableThreads } from "./conversations/participation.ts";
import { conversations } from "./conversations/procedures.ts";
import { documents } from "./documents/procedures.ts";
import { duplicates } from "./duplicates/procedures.ts";
import { invitationMail } from "./invitations/mails.ts";
import { invitations } from "./invitations/procedures.ts";
import { looks } from "./looks/procedures.ts";
import { notes } from "./notes/procedures.ts";
import { studentsOfWatchableNotes } from "./notes/queries.ts";
import { notificationMail } from "./notifications/mails.ts";
import { notifications } from "./notifications/procedures.ts";
import { webhooks } from "./notifications/webhooks/procedures.ts";
import { offers } from "./offers/procedures.ts";
import { planner } from "./planner/procedures.ts";
import { accountKeptMail, deletionAskedMail, unusedAccountMail } from "./privacy/mails.ts";
import { ownData, retention } from "./privacy/procedures.ts";
import { detailsEditedMail } from "./profile/mails.ts";
import { profile } from "./profile/procedures.ts";
import { programmeJoins } from "./programme-joins/procedures.ts";
import { staffCatalogue } from "./programmes/catalogue/procedures.ts";
import { programmes } from "./programmes/finding/procedures.ts";
import { push } from "./push/procedures.ts";
import { savedViews } from "./saved-views/procedures.ts";
import { mailboxCodeMail } from "./second-factor/mailbox-proof.ts";
import { signInMethods } from "./second-factor/procedures.ts";
import { sessionProcedures } from "./sessions/procedures.ts";
import type { Session } from "./sessions/sessions.ts";
import { shortlist } from "./shortlist/procedures.ts";
import {
  adminLinkMail,
  emailChangedMail,
  emailChangeMail,
  resetMail,
  verificationMail,
} from "./sign-in/mails.ts";
import { signInProcedures } from "./sign-in/procedures.ts";
import { students } from "./students/procedures.ts";
import { studyRecord } from "./study-record/procedures.ts";
import { tradeReports } from "./trade-reports/procedures.ts";

const apiReference = {
  // Imported on the first request, because it brings the description of the whole API with it.
  read: visitor.apiReference.read.handler(async ({ context }) => {
    const reference = await import("#server/endpoints/api/reference.ts");
    return await reference.apiReference(context.services.environment.baseUrl);
  }),
};

/** Implements the whole contract; every feature brings its own procedures. */
export const router = visitor.router({
  account: { ...account, ...sessionProcedures, ...signInProcedures, ...ownData },
  signInMethods,
  apiKeys,
  apiReference,
  agents,
  profile,
  notifications,
  push,
  webhooks,
  students,
  bulkRuns,
  savedViews,
  applications,
  shortlist,
  studyRecord,
  documents,
  conversations,
  invitations,
  looks,
  notes,
  offers,
  planner,
  programmes: { ...programmes, ...answersWithAgreement },
  auctions: { ...catalogue, ...bidding, ...selling },
  watching,
  sales,
  contact,
  audit: auditLog,
  accounts,
  jobs,
  overview,
  reports,
  duplicates,
  tradeReports,
  retention,
  catalogue: { ...staffCatalogue, ...agreements, ...programmeJoins },
});

export const mailKinds = [
  registered(verificationMail),
  registered(resetMail),
  registered(adminLinkMail),
  registered(emailChangeMail),
  registered(emailChangedMail),
  registered(mailboxCodeMail),
  registered(securityMail),
  registered(decisionMail),
  registered(invitationMail),
  registered(detailsEditedMail),
  registered(notificationMail),
  registered(deletionAskedMail),
  registered(accountKeptMail),
  registered(unusedAccountMail),
  registered(contactMail),
];

const ownChannels: Record<OwnTopic, (session: Session) => string | null> = {
  account: ({ userId }) => `account:${userId}`,
  agents: (session) => (isAdmin(session) ? "agents" : null),
  conversations: ({ userId }) => conversationsChannel(userId),
  dashboard: ({ userId }) => dashboardChannel(userId),
  notifications: ({ userId }) => `notifications:${userId}`,
  students: (session) => (mayManageStudents(session) ? studentsChannel : null),
  webhooks: ({ userId }) => `webhooks:${userId}`,
};

/**
 * Returns the channel of a topic for a viewer, who may be a visitor; null if they may not watch it, and for guarded
 * topics, whose rights are checked later.
 */
export function liveChannel(topic: LiveTopic, viewer: Session | null): string | null {
  if (isProductTopic(topic) || isCardTopic(topic)) return topic;
  if (isGuardedTopic(topic)) return null;
  if (viewer === null || (viewer.lacksSecondFactor && topic !== "account")) return null;
  return ownChannels[topic](viewer);
}

/**
 * Maps the ids of the records that the viewer may watch to their owners, because `live.rightsChanged` names the owner
 * whose records' rights have changed.
 */
type RightCheck = (db: Reader, viewer: Session, ids: readonly string[]) => Promise<Map<string, string>>;
const rightChecks: Record<GuardedSubject, RightCheck> = {
  application: studentsOfWatchable,
  notes: studentsOfWatchableNotes,
  thread: studentsOfWatchableThreads,
};

/** Returns the viewer's rights to guarded topics. The viewer may not watch a topic that is missing from the result. */
export async function rightsTo(
  db: Reader,
  viewer: Session | null,
  topics: readonly GuardedTopic[],
): Promise<Map<string, Right>> {
  if (viewer === null || viewer.lacksSecondFactor) {
    const code = viewer === null ? "unauthenticated" : "account/second-factor-required";
    return new Map(topics.map((topic) => [topic, { code }]));
  }
  const rights = new Map<string, Right>();
  for (const subject of guardedSubjects) {
    const prefix = `${subject}:`;
    const ids = topics.filter((topic) => topic.startsWith(prefix)).map((topic) => topic.slice(prefix.length));
    if (ids.length === 0) continue;
    const owners = await rightChecks[subject](db, viewer, ids);
    for (const [id, owner] of owners) rights.set(`${prefix}${id}`, { owner });
  }
  return rights;
}

/** Channels with many subscribers: every agent and admin with Manage Students open follows all students and agents. */
export const busyChannels: ReadonlySet<string> = new Set([studentsChannel]);
