import { product } from "#tests/support/auctions.ts";
import type { Person } from "#tests/support/factories.ts";
import { productForm, readyPicture } from "#tests/support/pictures.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";
import { catalogueObjects } from "./catalogue-rules.ts";
import type { ObjectRules } from "./object-access.ts";
import { type Relation, type Thing, things } from "./object-world.ts";
import { offerRules } from "./offer-rules.ts";
import { programmeRules } from "./programme-things.ts";
import { recordRules } from "./record-rules.ts";
import { acting, anyoneSignedIn, everybody, refusedAgents, responsible } from "./relations.ts";
import { reportedQuestion } from "./reported-question.ts";
import { webhookRules } from "./webhook-rules.ts";

const shortlistItem = { university: "Leeds", course: "Nursing", url: "https://leeds.example" };
const newTask = { title: "Book the test", owner: "student" };
/**
 * In the rules, `responsible` are the assigned agent and admins; `acting` also includes an agent with whom the student
 * has stopped sharing.
 */
const followers: readonly Relation[] = ["owner", ...acting, "otherAgent"];

function ownerOf({ owner }: Thing): Person {
  if (!owner) throw new Error("the thing belongs to nobody");
  return owner;
}

/** Further fields of an assignment: a student whom any agent may take on. */
const unassigned = async (on: Wayfare) => ({ studentId: (await things.studentWithoutAgent(on)).id });

/**
 * Every identifier in an input, with the thing that it names and the relations that may name it. A missing identifier
 * fails tests/access/permissions.test.ts.
 */
export const objects: ObjectRules = {
  "accounts.summary userId": { of: "student", may: ["admin"] },
  "accounts.details userId": { of: "student", may: ["admin"] },
  "accounts.editDetails userId": { of: "student", may: ["admin"] },
  "accounts.resetSecondFactor userId": { of: "student", may: ["admin"] },
  "accounts.signOut userId": { of: "student", may: ["admin"] },
  "account.signOutDevice id": { of: "device", may: ["owner"], silent: true },
  // A name has no effect without the passkey's own signature (server/features/sign-in/sign-in-with-passkey.test.ts).
  "account.signInWithPasskey passkey.id": "own",
  "account.signInWithPasskey passkey.rawId": "own",
  "account.confirmWithPasskey passkey.id": "own",
  "account.confirmWithPasskey passkey.rawId": "own",
  "signInMethods.addPasskey passkey.id": "own",
  "signInMethods.addPasskey passkey.rawId": "own",
  "signInMethods.renamePasskey id": { of: "passkey", may: ["owner"] },
  "signInMethods.removePasskey id": { of: "passkey", may: ["owner"] },
  "apiKeys.revoke id": { of: "apiKey", may: ["owner"] },
  "account.passwordLink token": "bearer",
  "account.setPassword token": "bearer",
  "account.verifyEmail token": "bearer",
  "agents.approve id": { of: "applicant", may: ["admin"] },
  "agents.deny id": { of: "applicant", may: ["admin"] },
  "agents.revoke id": { of: "agent", may: ["admin"] },
  "agents.resendVerification id": { of: "applicant", may: ["admin"] },
  "agents.liftDenial id": { of: "denial", may: ["admin"] },
  "agents.decideChange requestId": { of: "changeRequest", may: ["admin"] },
  "agents.decideChange agentId": {
    of: "agent",
    may: ["admin"],
    beside: async (on) => ({ requestId: (await things.changeRequest(on)).id, outcome: "another" }),
  },
  "applications.confirmation applicationId": { of: "application", may: ["owner", ...acting] },
  "applications.askConfirmation applicationId": { of: "application", may: acting },
  "applications.confirmList applicationId": { of: "application", may: ["owner"] },
  "applications.ofStudent studentId": { of: "student", may: followers },
  "applications.read applicationId": { of: "application", may: followers },
  "applications.timeline applicationId": { of: "application", may: followers },
  "applications.move applicationId": {
    of: "application",
    may: ["owner", ...acting],
    told: { otherAgent: "permission-denied" },
  },
  "auctions.product productId": { of: "product", may: everybody },
  "auctions.list sellerOf": { of: "product", may: everybody, silent: true },
  "auctions.cards productIds[]": { of: "product", may: everybody, silent: true },
  "auctions.similar productId": { of: "product", may: everybody },
  "auctions.bids productId": { of: "product", may: everybody },
  "auctions.relation productId": { of: "product", may: anyoneSignedIn },
  "auctions.bid productId": {
    of: "product",
    may: anyoneSignedIn.filter((each) => each !== "owner"),
    told: { owner: "permission-denied" },
  },
  "auctions.bid idempotencyKey": "own",
  "auctions.bidByKey idempotencyKey": "own",
  "auctions.create images[]": { of: "picture", may: ["owner"], beside: async () => productForm() },
  "auctions.create draftId": {
    of: "itemDraft",
    may: ["owner"],
    beside: async (_on, thing) => productForm({ images: [await readyPicture(ownerOf(thing))] }),
  },
  "auctions.edit productId": { of: "product", may: ["owner"] },
  "auctions.edit images[]": {
    of: "picture",
    may: ["owner"],
    beside: async (on, thing) => ({ productId: await product(on, ownerOf(thing)) }),
  },
  "auctions.addToDescription productId": { of: "product", may: ["owner"] },
  "auctions.sellAgain productId": { of: "product", may: ["owner"] },
  "auctions.draft draftId": { of: "itemDraft", may: ["owner"] },
  "auctions.saveDraft draftId": { of: "itemDraft", may: ["owner"] },
  "auctions.saveDraft images[]": { of: "picture", may: ["owner"] },
  "auctions.dropDraft draftId": { of: "itemDraft", may: ["owner"] },
  // Another person's picture makes the row refused (list-file.test.ts).
  "auctions.listFile pictures[].id": "own",
  "auctions.questions productId": { of: "product", may: everybody },
  "auctions.openQuestions productId": { of: "product", may: anyoneSignedIn },
  "auctions.ask productId": { of: "product", may: anyoneSignedIn },
  "auctions.answer questionId": { of: "question", may: ["owner"] },
  "auctions.hideQuestion questionId": { of: "question", may: ["admin"] },
  "auctions.remove productId": { of: "product", may: ["owner", "admin"] },
  "tradeReports.send productId": {
    of: "product",
    may: anyoneSignedIn.filter((each) => each !== "owner"),
    told: { owner: "permission-denied" },
    beside: async () => ({ reason: "misdescribed" }),
  },
  // An open question is its seller's, and its asker can't report it.
  "tradeReports.send questionId": {
    of: "question",
    may: ["owner"],
    beside: reportedQuestion,
  },
  "tradeReports.answer reportId": { of: "report", may: ["admin"] },
  "sales.ofProduct productId": { of: "soldItem", may: anyoneSignedIn },
  "sales.handOver saleId": { of: "sale", may: ["owner"] },
  "sales.report saleId": { of: "sale", may: ["owner"] },
  "sales.answer saleId": { of: "sale", may: ["owner"] },
  "sales.decide saleId": { of: "sale", may: ["admin"] },
  "sales.offer productId": { of: "soldItem", may: ["owner"] },
  "sales.withdrawOffer offerId": { of: "madeOffer", may: ["owner"] },
  "sales.answerOffer offerId": { of: "ownOffer", may: ["owner"] },
  "sales.withdrawBids productId": { of: "itemWithBid", may: anyoneSignedIn },
  "sales.withdrawBids idempotencyKey": "own",
  "sales.askToVoid productId": { of: "itemWithBid", may: ["owner"] },
  "sales.voidBids productId": { of: "itemWithBid", may: ["admin"] },
  "sales.declineVoid requestId": { of: "voidRequest", may: ["admin"] },
  "sales.strikes userId": { of: "student", may: ["admin"] },
  "sales.liftStrike strikeId": { of: "strike", may: ["admin"] },
  "conversations.list studentId": { of: "student", may: ["owner", ...acting], told: refusedAgents },
  "conversations.open studentId": { of: "student", may: ["owner", ...acting], told: refusedAgents },
  // Only the student's own applications and files are searched (conversations.test.ts).
  "conversations.open applicationId": "own",
  "conversations.send applicationId": "own",
  "conversations.send files[]": "own",
  "conversations.send key": "own",
  "conversations.send studentId": { of: "student", may: ["owner", ...acting], told: refusedAgents },
  "conversations.thread threadId": { of: "thread", may: ["owner", ...acting], told: refusedAgents },
  "conversations.messages threadId": { of: "thread", may: ["owner", ...acting], told: refusedAgents },
  "conversations.takeBack threadId": {
    of: "thread",
    may: ["owner"],
    told: { ...refusedAgents, assignedAgent: "not-found", stoppedAgent: "not-found", admin: "not-found" },
  },
  "conversations.blackOut threadId": { of: "thread", may: ["admin"] },
  "conversations.read threadId": { of: "thread", may: ["owner", ...acting], told: refusedAgents },
  // The number of a message; one above the newest counts as the newest.
  "conversations.read upTo": "own",
  "conversations.markUnread threadId": { of: "thread", may: ["owner", ...acting], told: refusedAgents },
  "conversations.needsNoAnswer threadId": { of: "thread", may: ["owner", ...acting], told: refusedAgents },
  "conversations.fileLink fileId": { of: "messageFile", may: ["owner", ...responsible] },
  "conversations.keepFile fileId": { of: "messageFile", may: ["owner", ...responsible] },
  "conversations.discardFile fileId": { of: "unsentFile", may: ["owner"] },
  "documents.ofStudent studentId": { of: "student", may: ["owner", ...responsible] },
  "documents.link documentId": { of: "document", may: ["owner", ...responsible] },
  "documents.review documentId": { of: "document", may: responsible },
  "documents.move documentId": { of: "document", may: ["owner"] },
  "documents.takeBack documentId": { of: "document", may: ["owner"] },
  "invitations.sendAgain id": { of: "invitation", may: ["owner", "admin"] },
  "invitations.withdraw id": { of: "invitation", may: ["owner", "admin"] },
  "invitations.look token": "bearer",
  "invitations.claim token": "bearer",
  "invitations.accept token": "bearer",
  "invitations.decline token": "bearer",
  "planner.ofStudent studentId": { of: "student", may: ["owner", ...acting] },
  "planner.askFor studentId": {
    of: "student",
    may: acting,
    beside: async () => ({ requests: [{ kind: "cv" }] }),
  },
  "planner.askFor applicationId": {
    of: "application",
    may: acting,
    beside: async (_, { owner }) => ({ studentId: owner?.id, requests: [{ kind: "cv" }] }),
  },
  "planner.changeRequest requestId": { of: "request", may: acting, beside: async () => ({ due: null }) },
  // A request is cancelled unseen, even by an agent without documents (server/features/planner/requests.test.ts).
  "planner.decideRequest requestId": {
    of: "request",
    may: responsible,
    beside: async () => ({ decision: "accepted" }),
  },
  "planner.requestLink requestId": { of: "request", may: ["owner", ...responsible] },
  "planner.addTask studentId": { of: "student", may: acting, beside: async () => newTask },
  "planner.addTask applicationId": {
    of: "application",
    may: acting,
    beside: async (_, { owner }) => ({ ...newTask, studentId: owner?.id }),
  },
  "planner.changeTask taskId": {
    of: "task",
    may: acting,
    beside: async () => ({ title: "Book the test", due: null }),
  },
  "planner.moveTask taskId": { of: "task", may: ["owner", ...acting] },
  "planner.removeTemplate templateId": { of: "taskTemplate", may: ["admin"] },
  "planner.pause studentId": { of: "student", may: acting, beside: async () => ({ lastDay: null }) },
  "duplicates.decide studentId": {
    of: "student",
    may: ["admin"],
    beside: async (on) => ({ otherIds: [(await things.studentWithoutAgent(on)).id] }),
  },
  "duplicates.decide otherIds[]": { of: "student", may: ["admin"], beside: unassigned },
  "duplicates.reopen id": { of: "duplicateDecision", may: ["admin"] },
  ...catalogueObjects,
  "jobs.retry id": { of: "failedJob", may: ["admin"] },
  "looks.giveReason studentId": { of: "student", may: ["admin"] },
  "notes.ofStudent studentId": { of: "student", may: acting },
  "notes.ofApplication applicationId": { of: "application", may: acting },
  "notes.addToStudent studentId": { of: "student", may: acting },
  "notes.addToApplication applicationId": { of: "application", may: acting },
  "notes.pin noteId": { of: "note", may: acting },
  "notifications.markRead ids[]": { of: "notification", may: ["owner"], silent: true },
  "notifications.markAllRead upTo": { of: "notification", may: ["owner"], silent: true },
  "notifications.unsubscribe token": "bearer",
  // The key is one of ours, which are public; only the caller's own endpoints are searched (push.test.ts).
  "push.subscribe serverKey": "own",
  "push.renew serverKey": "own",
  ...offerRules,
  "profile.ofStudent studentId": { of: "student", may: ["assignedAgent"] },
  "profile.saveForStudent studentId": { of: "student", may: ["assignedAgent"] },
  ...programmeRules,
  "shortlist.list studentId": { of: "student", may: followers },
  "shortlist.add studentId": { of: "student", may: followers, beside: async () => shortlistItem },
  "shortlist.remove id": { of: "shortlistItem", may: followers },
  ...recordRules,
  "students.details studentId": { of: "student", may: [...acting, "otherAgent"] },
  "students.identity studentId": { of: "student", may: responsible },
  "students.fileLink studentId": { of: "student", may: responsible },
  "students.assign studentId": {
    of: "student",
    may: acting,
    told: { otherAgent: "failed-precondition" },
  },
  "students.assign agentId": { of: "agent", may: ["owner", "otherAgent", "admin"], beside: unassigned },
  "students.assign expectedAgentId": {
    of: "agent",
    may: ["owner", "otherAgent", "admin"],
    beside: unassigned,
  },
  "students.list agentId": { of: "agent", may: ["owner", "otherAgent", "admin"], silent: true },
  "students.exportLink view.agentId": "own",
  "students.exportLink studentIds[]": { of: "student", may: [...acting, "otherAgent"] },
  "bulkRuns.choose agentId": { of: "agent", may: ["owner", "otherAgent", "admin"], silent: true },
  "bulkRuns.prepare agentId": {
    of: "agent",
    may: ["owner", "otherAgent", "admin"],
    beside: async (on) => ({ studentIds: [(await things.studentWithoutAgent(on)).id] }),
  },
  "bulkRuns.prepare studentIds[]": { of: "student", may: [...acting, "otherAgent"] },
  "bulkRuns.start id": { of: "bulkRun", may: ["owner"] },
  "bulkRuns.takeBack id": { of: "bulkRun", may: ["owner"] },
  "bulkRuns.retry id": { of: "bulkRun", may: ["owner"] },
  "bulkRuns.get id": { of: "bulkRun", may: ["owner"] },
  "bulkRuns.items id": { of: "bulkRun", may: ["owner"] },
  "savedViews.save view.agentId": "own",
  "savedViews.remove id": { of: "savedView", may: ["owner"] },
  "savedViews.count id": { of: "savedView", may: ["owner"] },
  "students.setDisabled userId": { of: "student", may: ["admin"] },
  "students.handOver fromAgentId": { of: "agent", may: ["admin"] },
  "students.handOver toAgentId": {
    of: "agent",
    may: ["admin"],
    beside: async (on) => ({ fromAgentId: (await things.agent(on)).id }),
  },
  "watching.watch productId": {
    of: "product",
    may: anyoneSignedIn.filter((each) => each !== "owner"),
    told: { owner: "failed-precondition" },
  },
  "watching.unwatch productId": { of: "product", may: anyoneSignedIn, silent: true },
  "watching.marks productIds[]": { of: "product", may: anyoneSignedIn, silent: true },
  "watching.changeSearch searchId": {
    of: "savedSearch",
    may: ["owner"],
    beside: async () => ({ name: "Desks", mail: "never" }),
  },
  "watching.seeSearch searchId": { of: "savedSearch", may: ["owner"] },
  "watching.removeSearch searchId": { of: "savedSearch", may: ["owner"] },
  ...webhookRules,
};
