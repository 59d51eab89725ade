import { type LiveTopic, signedOutEvent } from "#protocol/live-topic.ts";

/** Gets a topic's event data, or null where events may have been missed. Watching twice with the same one calls it once. */
export type Listener = (topic: LiveTopic, data: string | null) => void;

const firstDelay = 1_000;
const longestDelay = 30_000;
/** Milliseconds for which a stream may carry topics that nobody watches any more. */
const grace = 10_000;

/**
 * One event stream for everything that the tab's components watch. It closes while the page is hidden and
 * opens again when seen; every opening counts as a change of all its topics, so nothing is missed. `signedOut` gets
 * the data of the event that ended it with its session, or null when it was refused.
 */
export function createLive(signedOut: (why: string | null) => void) {
  /** How many watch a topic with each listener. */
  const listeners = new Map<LiveTopic, Map<Listener, number>>();
  let stream: EventSource | null = null;
  let openFor: readonly LiveTopic[] = [];
  let delay = firstDelay;
  let paused = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const dispatch = (topic: LiveTopic, data: string | null) =>
    listeners.get(topic)?.forEach((_times, listener) => listener(topic, data));
  const changedAll = () => openFor.forEach((topic) => dispatch(topic, null));

  function close() {
    clearTimeout(timer);
    stream?.close();
    stream = null;
    openFor = [];
  }

  function ended(why: string | null) {
    close();
    signedOut(why);
    // Still signed in, the tab tries again; otherwise its watchers are gone by then.
    timer = setTimeout(refresh, delay);
    delay = Math.min(delay * 2, longestDelay);
  }

  function open(topics: readonly LiveTopic[]) {
    close();
    openFor = topics;
    const opened = new EventSource(`/live?topics=${topics.join(",")}`);
    stream = opened;
    opened.addEventListener("open", () => {
      delay = firstDelay;
      changedAll();
    });
    opened.addEventListener(signedOutEvent, ({ data }: MessageEvent<string>) => ended(data));
    for (const topic of topics)
      opened.addEventListener(topic, (event: MessageEvent<string>) => dispatch(topic, event.data));
    // The browser reconnects by itself unless it was refused.
    opened.addEventListener("error", () => opened.readyState === EventSource.CLOSED && ended(null));
  }

  function refresh() {
    const isSeen = !paused && document.visibilityState === "visible";
    const wanted = isSeen ? [...listeners.keys()].toSorted() : [];
    if (wanted.length === 0) close();
    else if (wanted.some((topic) => !openFor.includes(topic))) open(wanted);
    else if (wanted.length < openFor.length) refreshIn(grace, () => open(wanted));
  }

  /** Components come and go together: one look at the end decides whether the stream must change. */
  function refreshIn(milliseconds: number, act: () => void = refresh) {
    clearTimeout(timer);
    timer = setTimeout(act, milliseconds);
  }

  function count(topic: LiveTopic, listener: Listener, change: number) {
    const counted = listeners.get(topic) ?? new Map<Listener, number>();
    const times = (counted.get(listener) ?? 0) + change;
    if (times > 0) counted.set(listener, times);
    else counted.delete(listener);
    if (counted.size > 0) listeners.set(topic, counted);
    else listeners.delete(topic);
    refreshIn(0);
  }

  return {
    /** Watches a topic until the returned function is called. */
    watch(topic: LiveTopic, listener: Listener): () => void {
      count(topic, listener, 1);
      return () => count(topic, listener, -1);
    },
    /** To be called when the page is hidden or seen again. */
    refresh,
    /** Closes the stream, whoever watches, until the returned function is called. */
    pause(): () => void {
      paused = true;
      close();
      return () => {
        paused = false;
        refreshIn(0);
      };
    },
    /** To be called when the connection is back: by itself the browser tries again only after a while. */
    reopen() {
      close();
      refresh();
    },
  };
}
