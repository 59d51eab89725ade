import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

/**
 * Gives TanStack Query what a loader answered, as if it had been asked for just now: by this device's date, since the
 * server's may be another. Null is no answer.
 */
export function useLoaded(queryKey: QueryKey, data: object | null): void {
  const client = useQueryClient();
  const [given, setGiven] = useState<object | null>(null);
  // While rendering, not after it: the parts below read it at once.
  if (data === given) return;
  setGiven(data);
  if (data) client.setQueryData(queryKey, data);
}
