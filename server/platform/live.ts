import { heartbeatEvery, type RefusedCode } from "#protocol/live-topic.ts";
import type { Bus } from "./bus.ts";
import { coalesce } from "./coalesce.ts";
import type { Reader, Transaction } from "./database.ts";
import { type Guard, GuardedTopics } from "./guarded-topics.ts";
import { createWatcher, frame, type Holder, type OpenSink, type Watcher } from "./live-watcher.ts";

/** Milliseconds between two events on a channel that a crowd watches. */
const crowdPause = 2_000;
/** Streams that one account may hold open on a node; another one ends the oldest. */
const streamsPerAccount = 20;
/** Streams that visitors from one address may hold open on a node: thousands of phones share a carrier's address. */
const streamsPerAddress = 500;

export type Live = ReturnType<typeof createLive>;

const keyOf = (holder: Holder) => ("visitor" in holder ? `visitor ${holder.visitor}` : holder.userId);

/**
 * Creates the event streams to browsers (EventSource). An event is encoded once for all watchers of its channel, and a
 * slow watcher gets the latest event of each channel rather than a backlog. Streams end with their session, and all end
 * when events from other nodes may have been missed: the browser reconnects and queries the current state. Events over
 * `crowded` channels, which many watch and change, are sent immediately when it is quiet, else every other second.
 */
export function createLive(bus: Bus, crowded: ReadonlySet<string> = new Set(), beatEvery = heartbeatEvery) {
  /** The event's name for each watcher, by channel. */
  const byChannel = new Map<string, Map<Watcher, string>>();
  const byHolder = new Map<string, Set<Watcher>>();
  /** The streams that have guarded topics. */
  const guards = new Map<Watcher, GuardedTopics>();

  /** `merged`: the data for a slow watcher for whom a different event still waits; by default the latest event's. */
  function deliver(channel: string, data: string, merged = data) {
    let frames: [bytes: Buffer, merged?: Buffer] | undefined;
    let writtenAs = "";
    for (const [watcher, name] of byChannel.get(channel) ?? []) {
      if (!frames || name !== writtenAs)
        frames = merged === data ? [frame(name, data)] : [frame(name, data), frame(name, merged)];
      writtenAs = name;
      watcher.push(channel, ...frames);
    }
  }

  function join(watcher: Watcher, channel: string, name: string) {
    byChannel.set(channel, (byChannel.get(channel) ?? new Map<Watcher, string>()).set(watcher, name));
  }

  function part(watcher: Watcher, channel: string) {
    const watching = byChannel.get(channel);
    watching?.delete(watcher);
    if (watching?.size === 0) byChannel.delete(channel);
  }

  function enter(watcher: Watcher) {
    for (const [channel, name] of watcher.names) join(watcher, channel, name);
    const key = keyOf(watcher.holder);
    const streams = (byHolder.get(key) ?? new Set()).add(watcher);
    byHolder.set(key, streams);
    const [oldest] = streams;
    if (!("visitor" in watcher.holder) && streams.size > streamsPerAccount) oldest?.end();
  }

  function leave(watcher: Watcher) {
    for (const channel of watcher.names.keys()) part(watcher, channel);
    guards.get(watcher)?.end();
    guards.delete(watcher);
    const key = keyOf(watcher.holder);
    const streams = byHolder.get(key);
    streams?.delete(watcher);
    if (streams?.size === 0) byHolder.delete(key);
  }

  /** Starts checking the rights to a stream's guarded topics. Each topic's channel has the topic's name. */
  function watchGuarded(watcher: Watcher, guard: Guard) {
    const refused = (topic: string, code: RefusedCode) =>
      watcher.push(topic, frame(topic, JSON.stringify({ refused: code })));
    const topics = new GuardedTopics(guard, {
      granted(topic) {
        watcher.names.set(topic, topic);
        join(watcher, topic, topic);
        // Events from before the grant were not delivered, so the browser queries the present state.
        watcher.push(topic, frame(topic, "{}"));
      },
      takenBack(topic) {
        watcher.names.delete(topic);
        part(watcher, topic);
      },
      refused,
      failed(some) {
        for (const topic of some) refused(topic, "unavailable");
        watcher.end();
      },
    });
    guards.set(watcher, topics);
    void topics.run();
  }

  /** Copies the sets, since a watcher that ends is removed from them. */
  const all = () => Array.from(byHolder.values()).flatMap((set) => Array.from(set));

  function endAll() {
    for (const watcher of all()) watcher.end();
  }

  async function publishTo(channels: readonly string[], data: string, tx?: Reader): Promise<void> {
    const events = channels.map((channel) => `${channel} ${data}`);
    await bus.publish("live", events, tx);
  }

  const deliverToCrowd = coalesce(crowdPause, deliver);

  bus.subscribe(
    "live",
    (payload) => {
      const cut = payload.indexOf(" ");
      const channel = payload.slice(0, cut);
      // The one of several events that reaches a browser stands for all: it says only that something changed.
      if (crowded.has(channel)) deliverToCrowd(channel, "{}");
      else deliver(channel, payload.slice(cut + 1), "{}");
    },
    { overRedis: true },
  );
  bus.subscribe("rights", (owner) => {
    for (const topics of guards.values()) topics.rightsChanged(owner);
  });
  bus.onGap(endAll);

  return {
    /**
     * Whether a visitor's address has too many streams for another one. An account's oldest stream ends instead, but a
     * visitor's may belong to another person.
     */
    isFull: (holder: Holder): boolean =>
      "visitor" in holder && (byHolder.get(keyOf(holder))?.size ?? 0) >= streamsPerAddress,
    /**
     * Opens one browser's stream over the channels that it may see, and over the guarded topics once they are granted.
     * `names`: the event's name for each channel.
     */
    open(holder: Holder, names: ReadonlyMap<string, string>, openSink: OpenSink, guard?: Guard): void {
      const watcher: Watcher = createWatcher(holder, new Map(names), openSink, beatEvery, () =>
        leave(watcher),
      );
      enter(watcher);
      if (guard && guard.topics.length > 0) watchGuarded(watcher, guard);
    },
    /**
     * Makes every node revoke the guarded topics of these owners' records when the transaction commits, and check the
     * rights to them again. Events of guarded topics that are published with a later transaction arrive after that.
     */
    rightsChanged: (owners: readonly string[], tx: Transaction) => bus.publish("rights", owners, tx),
    /** Sends an event to every node's watchers of a channel; `data` is JSON. With `tx`: if and when it commits. */
    publish: (channel: string, data: string, tx?: Reader) => publishTo([channel], data, tx),
    /** Sends one event over several channels. */
    publishTo,
    /** Ends an account's streams, or one session's, with the event that says so. */
    signOut(userId: string, sessionId?: string) {
      for (const watcher of Array.from(byHolder.get(userId) ?? [])) {
        const { holder } = watcher;
        const isTheirs = "userId" in holder && (sessionId === undefined || holder.sessionId === sessionId);
        if (isTheirs) void watcher.signOut();
      }
    },
    /** Delivers an event to this node's watchers alone. */
    deliver,
    endAll,
    /** Whether anybody on this node watches a channel. */
    isWatched: (channel: string) => byChannel.has(channel),
    /** Counts the watchers of a channel on this node: an account once, and each stream of a visitor. */
    countPeople(channel: string): number {
      const watchers = [...(byChannel.get(channel)?.keys() ?? [])];
      return new Set(watchers.map((each) => ("visitor" in each.holder ? each : each.holder.userId))).size;
    },
    /** Counts the streams that are open on this node. */
    count: () => all().length,
  };
}
