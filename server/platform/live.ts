import { signedOutEvent } from "#domain/live-topic.ts";
import type { Bus } from "./bus.ts";
import { coalesce } from "./coalesce.ts";
import type { Database, Transaction } from "./database.ts";

/** Bytes that may wait in one watcher's stream before only the latest event of each name is kept for it. */
const streamBuffer = 16 * 1024;
/** Milliseconds between signs of life, which also find out that a session has ended. */
const beatEvery = 25_000;
/** Milliseconds between two events on a channel that a crowd watches. */
const crowdPause = 2_000;
/** Streams that one account may hold open; another one ends the oldest. */
const streamsPerAccount = 20;

/** Whose stream it is, and whether they are still signed in. */
export type Holder = {
  userId: string;
  sessionId: string;
  expiresAt: Date;
  stillSignedIn(): Promise<boolean>;
};

type Watcher = {
  holder: Holder;
  /** Event name by the channel it comes over. */
  names: ReadonlyMap<string, string>;
  push(key: string, bytes: Uint8Array): void;
  /** Forgets the watcher: the browser has gone, or the stream is about to end. */
  leave(): void;
  /** Ends the stream from our side. */
  end(lastWords?: Uint8Array): void;
};

export type Live = ReturnType<typeof createLive>;

const encoder = new TextEncoder();
const frame = (name: string, data: string) => encoder.encode(`event: ${name}\ndata: ${data}\n\n`);
const beatFrame = encoder.encode(":\n\n");
const signedOut = frame(signedOutEvent, "{}");

/**
 * Event streams to browsers (EventSource). An event is encoded once for all who watch its channel. A slow watcher
 * gets the latest event of each channel rather than a backlog. Streams end with their session, and all of them when
 * events from other nodes may have been missed: the browser comes back and asks for the truth. Events over `crowded`
 * channels, where many watch what many change, go out at once when it is quiet and else every other second.
 */
export function createLive(bus: Bus, crowded: ReadonlySet<string> = new Set()) {
  const watchers = new Map<string, Set<Watcher>>();
  const byAccount = new Map<string, Set<Watcher>>();

  const into = (map: Map<string, Set<Watcher>>, key: string, watcher: Watcher) =>
    map.set(key, (map.get(key) ?? new Set()).add(watcher));

  function outOf(map: Map<string, Set<Watcher>>, key: string, watcher: Watcher) {
    const set = map.get(key);
    set?.delete(watcher);
    if (set?.size === 0) map.delete(key);
  }

  function deliver(channel: string, data: string) {
    const frames = new Map<string, Uint8Array>();
    for (const watcher of watchers.get(channel) ?? []) {
      const name = watcher.names.get(channel) ?? channel;
      const bytes = frames.get(name) ?? frame(name, data);
      frames.set(name, bytes);
      watcher.push(channel, bytes);
    }
  }

  function enter(watcher: Watcher) {
    for (const channel of watcher.names.keys()) into(watchers, channel, watcher);
    into(byAccount, watcher.holder.userId, watcher);
    const mine = byAccount.get(watcher.holder.userId) ?? new Set();
    const [oldest] = mine;
    if (mine.size > streamsPerAccount) oldest?.end();
  }

  function leave(watcher: Watcher) {
    for (const channel of watcher.names.keys()) outOf(watchers, channel, watcher);
    outOf(byAccount, watcher.holder.userId, watcher);
  }

  /** One browser's stream over the channels it may see. `names`: the event's name for each channel. */
  function stream(holder: Holder, names: ReadonlyMap<string, string>): Response {
    let watcher: Watcher | undefined;
    const body = new ReadableStream<Uint8Array>(
      {
        start(controller) {
          watcher = open(controller, holder, names);
        },
        pull() {
          watcher?.push("", new Uint8Array());
        },
        cancel() {
          watcher?.leave();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: streamBuffer }),
    );
    return new Response(body, {
      headers: {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no",
      },
    });
  }

  function open(
    controller: ReadableStreamDefaultController<Uint8Array>,
    holder: Holder,
    names: ReadonlyMap<string, string>,
  ): Watcher {
    const waiting = new Map<string, Uint8Array>();
    let ended = false;

    const watcher: Watcher = {
      holder,
      names,
      push(key, bytes) {
        if (bytes.length > 0) waiting.set(key, bytes);
        for (const [at, next] of waiting) {
          if (ended || (controller.desiredSize ?? 0) <= 0) return;
          waiting.delete(at);
          controller.enqueue(next);
        }
      },
      leave() {
        ended = true;
        clearInterval(beat);
        leave(watcher);
      },
      end(lastWords) {
        if (ended) return;
        watcher.leave();
        if (lastWords) controller.enqueue(lastWords);
        controller.close();
      },
    };

    async function lookAfter() {
      const signedIn = holder.expiresAt > new Date() && (await holder.stillSignedIn().catch(() => true));
      if (signedIn) watcher.push("beat", beatFrame);
      else watcher.end(signedOut);
    }
    const beat = setInterval(() => void lookAfter(), beatEvery);

    enter(watcher);
    controller.enqueue(encoder.encode("retry: 1000\n\n"));
    return watcher;
  }

  /** A copy: a watcher that ends leaves the sets. */
  const all = () => Array.from(byAccount.values()).flatMap((set) => Array.from(set));

  function endAll() {
    for (const watcher of all()) watcher.end();
  }

  const deliverToCrowd = coalesce(crowdPause, deliver);

  bus.subscribe("live", (payload) => {
    const cut = payload.indexOf(" ");
    const channel = payload.slice(0, cut);
    const send = crowded.has(channel) ? deliverToCrowd : deliver;
    send(channel, payload.slice(cut + 1));
  });
  bus.onGap(endAll);

  return {
    stream,
    /** Sends an event to every node's watchers of a channel; `data` is JSON. With `tx`: if and when it commits. */
    publish: (channel: string, data: string, tx?: Transaction | Database["db"]) =>
      bus.publish("live", [`${channel} ${data}`], tx),
    /** The same event over several channels at once. */
    publishTo: (channels: readonly string[], data: string, tx?: Transaction | Database["db"]) =>
      bus.publish(
        "live",
        channels.map((channel) => `${channel} ${data}`),
        tx,
      ),
    /** Ends an account's streams, or one session's, with the event that says so. */
    signOut(userId: string, sessionId?: string) {
      for (const watcher of Array.from(byAccount.get(userId) ?? []))
        if (sessionId === undefined || watcher.holder.sessionId === sessionId) watcher.end(signedOut);
    },
    /** Delivers an event to this node's watchers alone. */
    deliver,
    endAll,
    /** How many streams are open on this node. */
    count: () => all().length,
  };
}
