import type { assemble } from "./compose.ts";

/** What commands, queries and procedures work with; `assemble` puts it together once a process. */
export type Services = Awaited<ReturnType<typeof assemble>>["services"];
