import { api } from "../../lib/rpc.ts";

/** Everything that is public about a programme. */
export const programmeQuery = (slug: string) => api.programmes.read.queryOptions({ input: { slug } });
