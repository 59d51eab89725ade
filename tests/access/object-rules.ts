import { productForm } from "#tests/support/pictures.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";
import type { ObjectRules } from "./object-access.ts";
import { type Relation, things } from "./object-world.ts";

const shortlistItem = { university: "Leeds", course: "Nursing", url: "https://leeds.example" };
const everybody: readonly Relation[] = [
  "visitor",
  "disabled",
  "owner",
  "otherStudent",
  "otherAgent",
  "pendingAgent",
  "admin",
];
const anyoneSignedIn: readonly Relation[] = ["owner", "otherStudent", "otherAgent", "pendingAgent", "admin"];
const responsible: readonly Relation[] = ["assignedAgent", "admin"];
const followers: readonly Relation[] = ["owner", "assignedAgent", "otherAgent", "admin"];

/** Further fields of an assignment: a student whom any agent may take on. */
const unassigned = async (on: Wayfare) => ({ studentId: (await things.studentWithoutAgent(on)).id });

/**
 * Every identifier in an input, with the thing that it names and the relations that may. One that is missing fails
 * tests/access/permissions.test.ts.
 */
export const objects: ObjectRules = {
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
  "applications.ofStudent studentId": { of: "student", may: followers },
  "applications.timeline applicationId": { of: "application", may: followers },
  "applications.move applicationId": {
    of: "application",
    may: ["owner", ...responsible],
    told: { otherAgent: "permission-denied" },
  },
  "auctions.product productId": { of: "product", may: everybody },
  "auctions.bids productId": { of: "product", may: everybody },
  "auctions.relation productId": { of: "product", may: anyoneSignedIn },
  "auctions.bid productId": {
    of: "product",
    may: anyoneSignedIn.filter((each) => each !== "owner"),
    told: { owner: "permission-denied" },
  },
  "auctions.bid idempotencyKey": "own",
  "auctions.create images[]": { of: "picture", may: ["owner"], beside: async () => productForm() },
  "auctions.remove productId": { of: "product", may: ["owner", "admin"] },
  "documents.ofStudent studentId": { of: "student", may: ["owner", ...responsible] },
  "documents.link documentId": { of: "document", may: ["owner", ...responsible] },
  "documents.review documentId": { of: "document", may: responsible },
  "documents.move documentId": { of: "document", may: ["owner"] },
  "documents.takeBack documentId": { of: "document", may: ["owner"] },
  "jobs.retry id": { of: "failedJob", may: ["admin"] },
  "notifications.markRead ids[]": { of: "notification", may: ["owner"], silent: true },
  "notifications.markAllRead upTo": { of: "notification", may: ["owner"], silent: true },
  "notifications.unsubscribe token": "bearer",
  "shortlist.list studentId": { of: "student", may: followers },
  "shortlist.add studentId": { of: "student", may: followers, beside: async () => shortlistItem },
  "shortlist.remove id": { of: "shortlistItem", may: followers },
  "students.details studentId": { of: "student", may: ["assignedAgent", "otherAgent", "admin"] },
  "students.identity studentId": { of: "student", may: responsible },
  "students.fileLink studentId": { of: "student", may: responsible },
  "students.assign studentId": {
    of: "student",
    may: responsible,
    told: { otherAgent: "failed-precondition" },
  },
  "students.assign agentId": { of: "agent", may: ["owner", "otherAgent", "admin"], beside: unassigned },
  "students.assign expectedAgentId": {
    of: "agent",
    may: ["owner", "otherAgent", "admin"],
    beside: unassigned,
  },
  "students.setDisabled userId": { of: "student", may: ["admin"] },
  "students.handOver fromAgentId": { of: "agent", may: ["admin"] },
  "students.handOver toAgentId": {
    of: "agent",
    may: ["admin"],
    beside: async (on) => ({ fromAgentId: (await things.agent(on)).id }),
  },
  // A public address without a host name, so that nothing is looked up; nothing is sent there.
  "webhooks.change id": {
    of: "webhook",
    may: ["owner"],
    beside: async () => ({ url: "https://1.1.1.1/", events: ["auction.outbid"] }),
  },
  "webhooks.pause id": { of: "webhook", may: ["owner"] },
  "webhooks.resume id": { of: "webhook", may: ["owner"] },
  "webhooks.rotateSecret id": { of: "webhook", may: ["owner"] },
  "webhooks.remove id": { of: "webhook", may: ["owner"] },
  "webhooks.sendTest id": { of: "webhook", may: ["owner"] },
  "webhooks.deliveries id": { of: "webhook", may: ["owner"] },
  "webhooks.sendAgain id": { of: "webhookDelivery", may: ["owner"] },
};
