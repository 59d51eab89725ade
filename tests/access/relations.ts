import type { Relation } from "./object-world.ts";

export const everybody: readonly Relation[] = [
  "visitor",
  "disabled",
  "owner",
  "otherStudent",
  "otherAgent",
  "pendingAgent",
  "admin",
];
export const anyoneSignedIn: readonly Relation[] = [
  "owner",
  "otherStudent",
  "otherAgent",
  "pendingAgent",
  "admin",
];
/** Relations that see a student's documents and identity details. */
export const responsible: readonly Relation[] = ["assignedAgent", "admin"];
/** Other agents, who learn that they take no part in a conversation. */
export const refusedAgents = { otherAgent: "permission-denied" } as const;
/** Relations that act on a student's applications, including an agent with whom the student has stopped sharing. */
export const acting: readonly Relation[] = [...responsible, "stoppedAgent"];
