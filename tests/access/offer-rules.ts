import type { ObjectRules } from "./object-access.ts";
import { acting, responsible } from "./relations.ts";

/** The rules of the identifiers of offers. */
export const offerRules: ObjectRules = {
  "offers.ofApplication applicationId": { of: "offer", may: ["owner", ...acting] },
  "offers.save applicationId": { of: "offer", may: acting },
  // Only the conditions of this offer are searched (server/features/offers/offers.test.ts).
  "offers.save offer.conditions[].id": "own",
  "offers.mark conditionId": {
    of: "condition",
    may: acting,
    beside: async () => ({ reason: "Enough." }),
  },
  "offers.markDeposit applicationId": { of: "offer", may: acting },
  "offers.claim conditionId": { of: "condition", may: ["owner"] },
  "offers.decline applicationId": { of: "offer", may: ["owner"] },
  "offers.rank applicationId": { of: "offer", may: ["owner"] },
  "offers.letterLink applicationId": { of: "offer", may: ["owner", ...responsible] },
};
