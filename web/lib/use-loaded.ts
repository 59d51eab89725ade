import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

/**
 * Puts a loader's data into TanStack Query's cache, as if fetched just now by this device's clock, since the server's
 * may differ. Null is no data.
 */
export function useLoaded(queryKey: QueryKey, data: object | null): void {
  const client = useQueryClient();
  const [latest, setLatest] = useState<object | null>(null);
  // Runs while rendering and not in an effect, because the parts below read the data at once.
  if (data === latest) return;
  setLatest(data);
  if (data) client.setQueryData(queryKey, data);
}
