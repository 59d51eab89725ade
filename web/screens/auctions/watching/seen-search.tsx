import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { isUuid } from "#domain/uuid.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { api, rpc } from "../../../lib/rpc.ts";
import { useViewer } from "../../../lib/viewer.ts";

/** Marks the new items of the saved search that the address names as seen, once the viewer opens it. */
export function SeenSearch() {
  const [params] = useSearchParams();
  const viewer = useViewer();
  const parameter = params.get("saved") ?? "";
  const searchId = viewer !== null && isUuid(parameter) ? parameter : null;
  useEffect(() => {
    if (searchId === null) return;
    // Another person may have followed the link, or the search may be gone.
    void rpc.watching
      .seeSearch({ searchId })
      .catch(() => {})
      .then(() => queryClient.invalidateQueries({ queryKey: api.watching.searches.key() }));
  }, [searchId]);
  return null;
}
