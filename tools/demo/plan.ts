import { notificationOfApplicant } from "#server/features/agents/applicants.ts";
import type { TagOf } from "#server/features/auctions/catalogue/read-product.ts";
import { type BulkRuns, planBulkRuns } from "./bulk-runs.ts";
import { planConfirmations } from "./confirmations.ts";
import { Events } from "./events.ts";
import { type CatalogueItem, planCatalogueItems } from "./from-catalogue.ts";
import { planInvitations } from "./invitations.ts";
import { type ItemTalk, planItemTalk } from "./item-talk.ts";
import { type Market, MarketPlan } from "./market.ts";
import { type People, planPeople } from "./people.ts";
import { type PlaceOffers, planPlaceOffers } from "./place-offers.ts";
import { type PlannedWork, planWork } from "./planned-work.ts";
import { type DemoProgramme, planProgrammes } from "./programmes.ts";
import { planRecords, type Records } from "./records.ts";
import { planSales, type Sales } from "./sales.ts";
import { planStudies, type Studies } from "./studies.ts";
import { planTrust, type Trust } from "./trust.ts";
import { planWatching, type WatchingRows } from "./watching.ts";

/** Sizes of a demo. At least two students and five agents are needed, so that there is one of each kind. */
export type Sizes = { students: number; agents: number; products: number; programmes?: number };
export const fullSizes: Sizes = { students: 200, agents: 20, products: 500, programmes: 300 };
/** Number of programmes of a demo that doesn't say how many. */
const fewProgrammes = 12;

export type Plan = People &
  Studies &
  PlannedWork &
  PlaceOffers &
  Market &
  ItemTalk &
  Sales &
  WatchingRows &
  Records &
  BulkRuns &
  Trust & {
    programmes: DemoProgramme[];
    catalogueItems: CatalogueItem[];
    invitations: ReturnType<typeof planInvitations>;
    confirmations: ReturnType<typeof planConfirmations>;
    audit: ReturnType<Events["auditRows"]>;
    bell: ReturnType<Events["bellRows"]>;
  };

/** Writes the entries about the sign-ups, and about the decisions on the agents. */
function recordPeople({ admins, agents, students, denied }: People, events: Events): void {
  for (const { id, createdAt } of [...agents, ...students])
    events.audit(createdAt, { action: "sign-up", actorId: id, subjectId: id });
  for (const agent of agents) {
    const { id: subjectId, firstName = "", lastName = "", agency = "" } = agent;
    const decided = [
      [agent.approvedAt, agent.approvedBy, "agent-approved"],
      [agent.revokedAt, agent.revokedBy, "agent-revoked"],
      [agent.disabledAt, agent.disabledBy, "account-disabled"],
    ] as const;
    for (const [at, actorId, action] of decided)
      if (at && actorId) events.audit(at, { action, actorId, subjectId });
    if (agent.status === "pending")
      for (const admin of admins)
        events.notify(
          agent.createdAt,
          notificationOfApplicant(admin.id, { id: subjectId, firstName, lastName, agency }),
        );
  }
  for (const { id: subjectId, deniedBy: actorId, deniedAt } of denied)
    events.audit(deniedAt, { action: "agent-denied", actorId, subjectId });
}

/**
 * Plans the whole content of the demo's database, with the same people, things and histories for the same sizes: only
 * dates depend on `now`, and tags of bidders on `tagOf`. Decisions of the server's commands are made here by the same
 * rules of `domain/`, at times in the past, which those commands can't use: for them everything happens now.
 */
export function plan(sizes: Sizes, adminEmails: readonly string[], now: Date, tagOf: TagOf): Plan {
  const events = new Events();
  const people = planPeople(sizes, adminEmails, now);
  recordPeople(people, events);
  const programmes = planProgrammes(sizes.programmes ?? fewProgrammes, now);
  const studies = planStudies(people, programmes, events, now);
  const catalogueItems = planCatalogueItems(people.students, programmes, events, now);
  const confirmations = planConfirmations(people.students, studies, events, now);
  const runs = planBulkRuns(people, studies, events, now);
  const market = new MarketPlan(sizes.products, people, events, now, tagOf).all;
  const watching = planWatching(market, now);
  const work = planWork(people.students, now);
  const invitations = planInvitations(people, now);
  const trust = planTrust(people, events, now);
  const places = planPlaceOffers(people.students, studies, now);
  return {
    ...people,
    ...studies,
    ...market,
    ...watching,
    ...planSales(market.offers, now),
    ...work,
    ...runs,
    ...places,
    ...trust,
    ...planRecords(people.students, now),
    programmes,
    catalogueItems,
    invitations,
    confirmations,
    ...planItemTalk(market, now),
    audit: events.auditRows(),
    bell: events.bellRows(now),
  };
}
