import { type LiveTopic, signedOutEvent } from "#domain/live-topic.ts";

/** What a stream tells: that a topic may have changed, or that its session has ended. An event is never the truth. */
export type LiveNews = { changed: (topic: LiveTopic) => void; signedOut: () => void };

const firstDelay = 1_000;
const longestDelay = 30_000;

/**
 * One event stream for everything that the tab's components watch. It closes while the page is hidden and
 * opens again when seen; every opening counts as a change of all its topics, so nothing is missed.
 */
export function createLive(news: LiveNews) {
  const watchers = new Map<LiveTopic, number>();
  let stream: EventSource | null = null;
  let openFor = "";
  let delay = firstDelay;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const topics = () => [...watchers.keys()].toSorted();
  const changedAll = () => topics().forEach(news.changed);

  function close() {
    clearTimeout(timer);
    stream?.close();
    stream = null;
    openFor = "";
  }

  function ended() {
    close();
    news.signedOut();
    // Still signed in, the tab tries again; otherwise its watchers are gone by then.
    timer = setTimeout(refresh, delay);
    delay = Math.min(delay * 2, longestDelay);
  }

  function open(list: string) {
    close();
    openFor = list;
    const opened = new EventSource(`/live?topics=${list}`);
    stream = opened;
    opened.addEventListener("open", () => {
      delay = firstDelay;
      changedAll();
    });
    opened.addEventListener("gap", changedAll);
    opened.addEventListener(signedOutEvent, ended);
    for (const topic of topics()) opened.addEventListener(topic, () => news.changed(topic));
    // The browser reconnects by itself unless it was refused.
    opened.addEventListener("error", () => opened.readyState === EventSource.CLOSED && ended());
  }

  function refresh() {
    const wanted = document.visibilityState === "visible" ? topics().join(",") : "";
    if (wanted === "") close();
    else if (wanted !== openFor) open(wanted);
  }

  /** Components come and go together: one look at the end decides whether the stream must change. */
  function refreshSoon() {
    clearTimeout(timer);
    timer = setTimeout(refresh, 0);
  }

  return {
    /** Watches a topic until the returned function is called. */
    watch(topic: LiveTopic): () => void {
      watchers.set(topic, (watchers.get(topic) ?? 0) + 1);
      refreshSoon();
      return () => {
        const left = (watchers.get(topic) ?? 1) - 1;
        if (left > 0) watchers.set(topic, left);
        else watchers.delete(topic);
        refreshSoon();
      };
    },
    /** To be called when the page is hidden or seen again. */
    refresh,
  };
}
