import { createClient } from "@redis/client";
import pg from "pg";
import { createBus } from "#server/platform/bus.ts";
import { type DatabaseAddress, openDatabase } from "#server/platform/database.ts";
import { createLog } from "#server/platform/log.ts";
import { p99 } from "./measure.ts";
import { sharedNow } from "./processor-time.ts";

/** Wayfare's own bus or, with `bare`, only a client that publishes and one that listens. */
export type Transport = { address: DatabaseAddress; eventsUrl: string | null; bare: boolean };
export type OpenOrder = { open: Transport; nodes: number };
/** Publishes this many events a second for this many seconds. */
export type Publish = { rate: number; seconds: number };
export type PublishReport = { sent: number; seconds: number };
/** Waits until each node has received this many events, or no more arrive. */
export type Report = { expected: number };
export type ReceiveReport = { p99: number; received: number };

type Carrier = { publish(text: string): Promise<unknown> };

let carriers: Carrier[] = [];
let waits: number[] = [];
const channel = "bench";

function receive(text: string): void {
  waits.push(sharedNow() - Number(text));
}

async function overBus({ address, eventsUrl }: Transport): Promise<Carrier> {
  const bus = await createBus(
    openDatabase(address, () => {}),
    createLog("silent"),
    eventsUrl,
  );
  bus.subscribe(channel, receive, { overRedis: true });
  if (eventsUrl !== null)
    while (bus.carrier() !== "redis") await new Promise((resolve) => setTimeout(resolve, 50));
  return { publish: (text) => bus.publish(channel, [text]) };
}

async function overPostgres({ address }: Transport): Promise<Carrier> {
  const listener = new pg.Client(address);
  await listener.connect();
  await listener.query(`listen ${channel}`);
  listener.on("notification", ({ payload = "" }) => receive(payload));
  const pool = new pg.Pool({ ...address, max: 16, options: "-c synchronous_commit=off" });
  return {
    publish: (text) =>
      pool.query({ name: "notify", text: "select pg_notify($1, $2)", values: [channel, text] }),
  };
}

async function overRedis(url: string): Promise<Carrier> {
  const [listener, publisher] = [createClient({ url }), createClient({ url })];
  await Promise.all([listener.connect(), publisher.connect()]);
  await listener.subscribe(channel, receive);
  return { publish: (text) => publisher.publish(channel, text) };
}

async function open({ open: transport, nodes }: OpenOrder): Promise<object> {
  const one = () => {
    if (!transport.bare) return overBus(transport);
    return transport.eventsUrl === null ? overPostgres(transport) : overRedis(transport.eventsUrl);
  };
  carriers = await Promise.all(Array.from({ length: nodes }, one));
  return {};
}

/** Publishes at even intervals, whether or not earlier events were sent. */
async function publish({ rate, seconds }: Publish): Promise<PublishReport> {
  const [carrier] = carriers;
  if (!carrier) throw new Error("nothing carries events yet");
  const began = sharedNow();
  const pending: Promise<unknown>[] = [];
  const total = rate * seconds;
  while (pending.length < total) {
    const due = Math.min(total, ((sharedNow() - began) * rate) / 1000);
    while (pending.length < due) pending.push(carrier.publish(String(sharedNow())));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  // Events that can't be sent at this rate are missing among those received.
  await Promise.allSettled(pending);
  return { sent: total, seconds: (sharedNow() - began) / 1000 };
}

async function report({ expected }: Report): Promise<ReceiveReport> {
  let before = -1;
  while (waits.length < expected * carriers.length && waits.length !== before) {
    before = waits.length;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  const received = { p99: p99(waits), received: waits.length / carriers.length };
  waits = [];
  return received;
}

process.on("message", (order: OpenOrder | Publish | Report) => {
  const answer = "open" in order ? open(order) : "rate" in order ? publish(order) : report(order);
  void answer.then((message) => process.send?.(message));
});
