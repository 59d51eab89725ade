import { onlineManager, type QueryKey } from "@tanstack/react-query";
import { useEffect } from "react";
import type { LiveTopic, OwnTopic } from "#protocol/live-topic.ts";
import { createLive, type Listener } from "./live.ts";
import { queryClient } from "./query-client.ts";
import { api } from "./rpc.ts";
import { noteSessionEnd } from "./session-end.ts";

const ofStudents = [api.applications.key(), api.shortlist.key(), api.documents.key(), api.students.key()];

/** What to ask again when a topic changes. */
const queriesOf: Partial<Record<LiveTopic, readonly QueryKey[]>> & Record<OwnTopic, readonly QueryKey[]> = {
  account: [api.account.me.key(), api.signInMethods.key()],
  agents: [api.agents.key(), api.overview.key()],
  dashboard: ofStudents,
  notifications: [api.notifications.key(), api.auctions.myBids.key()],
  students: ofStudents,
  webhooks: [api.webhooks.key()],
};

const askAgain = (topic: LiveTopic) => {
  for (const queryKey of queriesOf[topic] ?? []) void queryClient.invalidateQueries({ queryKey });
};

/** The tab's one stream; made at the first use, which is never in the HTML built ahead of time. */
let live: ReturnType<typeof createLive> | undefined;

/** Watches a topic over the tab's one stream until the returned function is called. */
export function watch(topic: LiveTopic, listener: Listener): () => void {
  if (!live) {
    const { reopen, refresh } = (live = createLive((why) => {
      noteSessionEnd(why);
      askAgain("account");
    }));
    document.addEventListener("visibilitychange", refresh);
    onlineManager.subscribe((isOnline) => isOnline && reopen());
  }
  return live.watch(topic, listener);
}

/** Closes the tab's stream until the returned function is called. */
export const pauseLive = () => live?.pause();

/** Keeps the queries of a topic fresh while the component is mounted. */
export function useLive(topic: OwnTopic): void {
  useEffect(() => watch(topic, askAgain), [topic]);
}
