import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

/**
 * Puts a loader's data into TanStack Query's cache, as if fetched just now by this device's clock, since the server's
 * may differ. Null is no data.
 */
export function useLoaded(queryKey: QueryKey, data: object | null): void {
  const client = useQueryClient();
  const [latest, setLatest] = useState<object | null>(null);
  // Runs while rendering and not in an effect, because the components below read the data in the same render.
  if (data === latest) return;
  setLatest(data);
  if (data) client.setQueryData(queryKey, data);
}
