import { useLocation, useNavigate } from "react-router";
import { bulkRunPath } from "#protocol/addresses.ts";

/** The view and the chosen students from which a preview was opened, so that "Cancel" leads back to them. */
type Origin = { search: string; chosen: string[] };

/** Returns a function that opens the preview of a prepared act from here. */
export function useOpenPreview(studentIds: Iterable<string> = []) {
  const navigate = useNavigate();
  const { search } = useLocation();
  return (id: string) => {
    const origin: Origin = { search, chosen: [...studentIds] };
    return navigate(bulkRunPath(id), { state: origin });
  };
}

/** Returns the origin of the page, from the state of its entry in the browser's history. */
export function useOrigin(): Origin {
  const state: unknown = useLocation().state;
  const { search, chosen }: { search?: unknown; chosen?: unknown } = Object(state);
  return {
    search: typeof search === "string" ? search : "",
    chosen: Array.isArray(chosen) ? chosen.filter((id) => typeof id === "string") : [],
  };
}
