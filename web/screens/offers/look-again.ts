import { queryClient } from "../../lib/query-client.ts";
import { api } from "../../lib/rpc.ts";

/** Reads offers, applications and dashboards again after a change, and after one that failed. */
export const lookAgain = () =>
  Promise.all(
    [api.offers.key(), api.applications.key(), api.students.key()].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
