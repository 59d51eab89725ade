import { onlineManager } from "@tanstack/react-query";
import { useEffect } from "react";
import {
  type GuardedTopic,
  heartbeatEvent,
  heartbeatEvery,
  isGuardedTopic,
  type LiveTopic,
  type OwnTopic,
  signedOutEvent,
} from "#protocol/live-topic.ts";
import { queryClient } from "./query-client.ts";
import { reportUnanswered } from "./request.ts";
import { noteSessionEnd } from "./session-end.ts";
import { refetchTopic } from "./topic-queries.ts";
import { signOutKey } from "./viewer.ts";

/** Receives a topic's event data, or null if events may have been missed. Called once even if it watches twice. */
type Listener = (topic: LiveTopic, data: string | null) => void;

const firstDelay = 1_000;
const longestDelay = 30_000;
/** Milliseconds for which a stream may carry topics without watchers. */
const grace = 10_000;
/** Milliseconds after which a broken stream that hasn't reopened counts as lost. */
const lossDelay = 3_000;
/** Milliseconds of silence after which a stream counts as broken: a heartbeat is late, or never arrives. */
const longestSilence = heartbeatEvery + 5_000;

type LiveOptions = {
  /** Whether the viewer is signing out: a stream opened meanwhile would be refused. */
  isSigningOut: () => boolean;
  /** Receives the data of the event that ended the stream with its session, or null if the stream was refused. */
  onSignedOut: (why: string | null) => void;
  /** Called when the stream is lost for more than a moment, again while it stays lost, and when it is back. */
  onLossChange: (isLost: boolean) => void;
};

/**
 * Keeps one event stream for everything that the tab's components watch. It closes while the page is hidden or its
 * viewer signs out, and reopens afterwards; every opening counts as a change of all its topics, so nothing is missed.
 */
export function createLive({ isSigningOut, onSignedOut, onLossChange }: LiveOptions) {
  const watchers = new Set<{ topic: LiveTopic; listener: Listener }>();
  let stream: EventSource | null = null;
  let openFor: readonly LiveTopic[] = [];
  let delay = firstDelay;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lossTimer: ReturnType<typeof setTimeout> | undefined;
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;
  let isLost = false;

  function dispatch(topic: LiveTopic, data: string | null) {
    const listeners = [...watchers].filter((each) => each.topic === topic).map((each) => each.listener);
    for (const listener of new Set(listeners)) listener(topic, data);
  }

  function close() {
    clearTimeout(timer);
    clearTimeout(silenceTimer);
    stream?.close();
    stream = null;
    openFor = [];
  }

  /** Reports the stream as lost after a delay: it may come back automatically. */
  function noteBreak() {
    lossTimer ??= setTimeout(() => {
      lossTimer = undefined;
      isLost = true;
      onLossChange(true);
    }, lossDelay);
  }

  /** Cancels that report, or reports the end of the loss: the stream is back, or nothing is watched any more. */
  function noteRecovery() {
    clearTimeout(lossTimer);
    lossTimer = undefined;
    if (!isLost) return;
    isLost = false;
    onLossChange(false);
  }

  /** Restarts the timer that replaces a silent stream: lost packets don't end a connection. */
  function restartSilenceTimer() {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => {
      noteBreak();
      close();
      refresh();
    }, longestSilence);
  }

  function shutDown() {
    noteRecovery();
    close();
  }

  function endSession(why: string | null) {
    close();
    onSignedOut(why);
    // If still signed in, the tab tries again; otherwise its watchers are gone by then.
    timer = setTimeout(refresh, delay);
    delay = Math.min(delay * 2, longestDelay);
  }

  function open(topics: readonly LiveTopic[]) {
    close();
    openFor = topics;
    const opened = new EventSource(`/live?topics=${topics.join(",")}`);
    stream = opened;
    restartSilenceTimer();
    opened.addEventListener(heartbeatEvent, restartSilenceTimer);
    opened.addEventListener("open", () => {
      noteRecovery();
      restartSilenceTimer();
      delay = firstDelay;
      // The server sends a separate event for a guarded topic, once it has checked the permission.
      for (const topic of topics) if (!isGuardedTopic(topic)) dispatch(topic, null);
    });
    opened.addEventListener(signedOutEvent, ({ data }: MessageEvent<string>) => endSession(data));
    for (const topic of topics)
      opened.addEventListener(topic, (event: MessageEvent<string>) => dispatch(topic, event.data));
    opened.addEventListener("error", () => {
      noteBreak();
      // The browser reconnects automatically unless the stream was refused.
      if (opened.readyState === EventSource.CLOSED) endSession(null);
    });
  }

  function refresh() {
    const isSeen = !isSigningOut() && document.visibilityState === "visible";
    const watchedTopics = isSeen ? [...watchers].map(({ topic }) => topic) : [];
    const topics = [...new Set(watchedTopics)].toSorted();
    if (topics.length === 0) shutDown();
    else if (topics.some((topic) => !openFor.includes(topic))) open(topics);
    else if (topics.length < openFor.length) refreshIn(grace, () => open(topics));
  }

  /** Delays the check of the stream: components mount and unmount together, and one check after the last is enough. */
  function refreshIn(milliseconds: number, act: () => void = refresh) {
    clearTimeout(timer);
    timer = setTimeout(act, milliseconds);
  }

  return {
    /** Watches a topic until the returned function is called. */
    watch(topic: LiveTopic, listener: Listener): () => void {
      const watcher = { topic, listener };
      watchers.add(watcher);
      refreshIn(0);
      return () => {
        watchers.delete(watcher);
        refreshIn(0);
      };
    },
    isFollowing: (): boolean => watchers.size > 0,
    isLost: (): boolean => isLost,
    /** Whether the stream is open. It isn't while the browser reconnects. */
    isOpen: (): boolean => stream?.readyState === EventSource.OPEN,
    /** Call this when the page is hidden or visible again. */
    refresh,
    /** Call this when a sign-out begins or ends. The viewer's components stop watching a moment later. */
    refreshSoon: () => refreshIn(0),
    /** Call this when the connection is back, because the browser itself retries only after a while. */
    reopen() {
      close();
      refresh();
    },
  };
}

const lossListeners = new Set<() => void>();

function noteLoss(isLost: boolean) {
  for (const listener of lossListeners) listener();
  if (isLost) reportUnanswered();
}

/** Calls the listener when the tab's stream is lost or back, until the returned function is called. */
export function onStreamLoss(listener: () => void): () => void {
  lossListeners.add(listener);
  return () => void lossListeners.delete(listener);
}

/** Whether the tab's stream is lost, although the server may answer requests. */
export const isStreamLost = (): boolean => live?.isLost() ?? false;

/** The tab's one stream, created at its first use, which is never during server rendering. */
let live: ReturnType<typeof createLive> | undefined;

/** Watches a topic over the tab's one stream until the returned function is called. */
export function watch(topic: LiveTopic, listener: Listener): () => void {
  if (!live) {
    const { reopen, refresh, refreshSoon } = (live = createLive({
      isSigningOut: () => queryClient.isMutating({ mutationKey: signOutKey }) > 0,
      onSignedOut(why) {
        noteSessionEnd(why);
        refetchTopic("account", null);
      },
      onLossChange: noteLoss,
    }));
    document.addEventListener("visibilitychange", refresh);
    queryClient.getMutationCache().subscribe(({ mutation }) => {
      if (mutation?.options.mutationKey === signOutKey) refreshSoon();
    });
    onlineManager.subscribe((isOnline) => isOnline && reopen());
  }
  return live.watch(topic, listener);
}

/** Whether the page shows live data, which may be stale without a connection. */
export const isFollowing = (): boolean => live?.isFollowing() ?? false;

/** Whether the server is known to answer: the connection isn't lost, and the tab's stream is open. */
export const isServerReachable = (): boolean => onlineManager.isOnline() && (live?.isOpen() ?? false);

/** Keeps the queries of a topic fresh while the component is mounted; null while there is nothing to watch. */
export function useLive(topic: OwnTopic | GuardedTopic | null): void {
  useEffect(() => (topic === null ? undefined : watch(topic, refetchTopic)), [topic]);
}
