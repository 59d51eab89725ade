import { waitingApplicants } from "#server/features/agents/applicants.ts";
import { confirmedLists, unconfirmedLists } from "#server/features/applications/confirmations/queries.ts";
import { currentSteps } from "#server/features/applications/queries.ts";
import { unansweredRequests } from "#server/features/assignments/change-requests.ts";
import {
  currentAgent,
  currentSharing,
  currentStudents,
  departedStudents,
  leavingAgents,
  studentsWithoutAgent,
} from "#server/features/assignments/current-assignments.ts";
import { stillOutbid } from "#server/features/auctions/bidding/outbid.ts";
import { openOffers } from "#server/features/auctions/sales/queries.ts";
import { openQuestions } from "#server/features/auctions/selling/open-questions.ts";
import { stillEnding } from "#server/features/auctions/watching/notify-of-ends.ts";
import { unseenSearchHits } from "#server/features/auctions/watching/notify-of-hits.ts";
import { unreadMessageNotifications } from "#server/features/conversations/unread-notifications.ts";
import { currentDocumentNotifications } from "#server/features/documents/queries.ts";
import { keepAll, type NotificationChecks } from "#server/features/notifications/current-notifications.ts";
import { currentOffers } from "#server/features/offers/current-offers.ts";
import { currentPlan } from "#server/features/planner/current-plan.ts";
import { stillDue } from "#server/features/planner/reminders.ts";
import { currentEntries } from "#server/features/students/current-entries.ts";
import { openReports } from "#server/features/trade-reports/commands.ts";

/** Checks whether a notification is still true when it is about to be sent by email or push. */
export const notificationChecks: NotificationChecks = {
  agentApplied: waitingApplicants,
  agentAssigned: currentAgent,
  agentChangeAsked: unansweredRequests,
  agentChangeDecided: keepAll,
  agentLeaving: leavingAgents,
  agentLost: currentAgent,
  agentPace: keepAll,
  invitationClaimed: keepAll,
  invitationDeclined: keepAll,
  sharingChanged: currentSharing,
  studentAssigned: currentStudents,
  studentReassigned: departedStudents,
  studentsLeft: studentsWithoutAgent,

  documentUploaded: currentDocumentNotifications,
  documentApproved: currentDocumentNotifications,
  documentRejected: currentDocumentNotifications,
  enteredForYou: currentEntries,
  applicationMoved: currentSteps,
  confirmationAsked: unconfirmedLists,
  listConfirmed: confirmedLists,
  messageReceived: unreadMessageNotifications,

  offerMade: currentOffers,
  offerChanged: currentOffers,
  conditionMarked: currentOffers,
  depositMarked: currentOffers,
  conditionClaimed: currentOffers,
  offerReady: currentOffers,
  offerOverdue: currentOffers,

  ...currentPlan,
  fallsDue: stillDue,
  fallsDueSoon: stillDue,

  outbid: stillOutbid,
  watchedEnding: stillEnding,
  searchHits: unseenSearchHits,
  auctionWon: keepAll,
  auctionLost: keepAll,
  auctionSold: keepAll,
  auctionUnsold: keepAll,
  auctionRemoved: keepAll,
  ownAuctionRemoved: keepAll,
  descriptionAddedTo: keepAll,
  questionAsked: openQuestions,
  questionAnswered: keepAll,

  bidsWithdrawn: keepAll,
  ownBidsVoided: keepAll,
  voidRequested: keepAll,
  voidDeclined: keepAll,
  saleReported: keepAll,
  saleAnswered: keepAll,
  saleHandedOver: keepAll,
  saleFellThrough: keepAll,
  saleDecided: keepAll,
  saleDisputed: keepAll,
  secondChanceOffered: openOffers,
  secondChanceAnswered: keepAll,
  strikeLifted: keepAll,

  reportSent: openReports,
  reportAnswered: keepAll,
  auditBroken: keepAll,
  accountKept: keepAll,
  webhookStopped: keepAll,
};
