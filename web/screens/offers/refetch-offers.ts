import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";

/** Refetches offers, applications and dashboards after a change, even a failed one. */
export const refetchOffers = () =>
  Promise.all(
    [api.offers.key(), api.applications.key(), api.students.key()].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
