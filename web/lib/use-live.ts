import type { QueryKey } from "@tanstack/react-query";
import { useEffect } from "react";
import type { LiveTopic } from "#domain/live-topic.ts";
import { createLive } from "./live.ts";
import { queryClient } from "./query-client.ts";
import { api } from "./rpc.ts";

const ofStudents = [api.applications.key(), api.shortlist.key(), api.documents.key(), api.students.key()];

/** What to ask again when a topic changes. */
const queriesOf: Record<LiveTopic, readonly QueryKey[]> = {
  account: [api.account.me.key()],
  agents: [api.agents.key()],
  desk: ofStudents,
  notifications: [api.notifications.key()],
  students: ofStudents,
};

const askAgain = (topic: LiveTopic) => {
  for (const queryKey of queriesOf[topic]) void queryClient.invalidateQueries({ queryKey });
};

/** The tab's one stream; made at the first use, which is never in the HTML built ahead of time. */
let live: ReturnType<typeof createLive> | undefined;

function watch(topic: LiveTopic): () => void {
  if (!live) {
    live = createLive({ changed: askAgain, signedOut: () => askAgain("account") });
    document.addEventListener("visibilitychange", live.refresh);
  }
  return live.watch(topic);
}

/** Keeps the queries of a topic fresh while the component is mounted. */
export function useLive(topic: LiveTopic, enabled = true): void {
  useEffect(() => (enabled ? watch(topic) : undefined), [topic, enabled]);
}
