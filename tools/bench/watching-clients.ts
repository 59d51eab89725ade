import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { p99 } from "./measure.ts";
import { sharedNow } from "./processor-time.ts";

/** Opens this many connections and reads their events; one more stops reading after the head. */
export type Watch = { watch: number; port: number; path: string };
/** The bids to see, and when each was sent, by the shared clock. */
export type Report = { sendTimes: number[] };
/** 99 of 100 bids were seen within `p99` ms; `deliveries` counts the events that arrived, `frame` is the last one. */
export type WatchReport = { p99: number; deliveries: number; frame: string };

/** Maximum number of connections from one address, because visitors are counted by address. */
const perAddress = 250;
const key = '"bidCount":';

class WatchingClient {
  readonly socket: Socket;
  /** When each bid was seen, by its number. */
  readonly arrivals: number[] = [];
  events = 0;
  /** The last complete event. */
  latest = "";
  #rest = "";

  constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => this.#read(text));
  }

  #read(text: string) {
    const all = this.#rest === "" ? text : this.#rest + text;
    const end = all.lastIndexOf("\n\n") + 2;
    this.#rest = end < 2 ? all : all.slice(end);
    if (end < 2) return;
    this.latest = all.slice(0, end);
    for (let at = all.indexOf(key); at >= 0; at = all.indexOf(key, at + 1)) this.events++;
    const count = Number.parseInt(this.latest.slice(this.latest.lastIndexOf(key) + key.length), 10);
    const now = sharedNow();
    for (let bid = this.arrivals.length; bid <= count; bid++) this.arrivals.push(now);
  }
}

let watching: WatchingClient[] = [];
let stuck: WatchingClient | null = null;

async function open(at: number, { port, path }: Watch): Promise<WatchingClient> {
  const socket = connect({
    port,
    host: "127.0.0.1",
    localAddress: `127.0.0.${2 + Math.floor(at / perAddress)}`,
  });
  const watcher = new WatchingClient(socket);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  await once(socket, "data");
  return watcher;
}

async function watch(order: Watch): Promise<void> {
  for (const { socket } of [...watching, ...(stuck ? [stuck] : [])]) socket.destroy();
  watching = await Promise.all(Array.from({ length: order.watch }, (_, at) => open(at, order)));
  stuck = await open(order.watch, order);
  stuck.socket.pause();
}

const frameIn = (text: string) => text.slice(text.lastIndexOf("event: "));

async function report({ sendTimes }: Report): Promise<WatchReport> {
  stuck?.socket.resume();
  const last = sendTimes.length - 1;
  const all = () => [...watching, ...(stuck ? [stuck] : [])].every(({ arrivals }) => arrivals.length > last);
  while (!all()) await new Promise((resolve) => setTimeout(resolve, 5));
  const waits = watching.flatMap(({ arrivals }) =>
    sendTimes.flatMap((at, bid) => (at > 0 ? [(arrivals[bid] ?? Infinity) - at] : [])),
  );
  const events = watching.reduce((sum, watcher) => sum + watcher.events, 0);
  return { p99: p99(waits), deliveries: events, frame: frameIn(watching[0]?.latest ?? "") };
}

process.on("message", (order: Watch | Report) => {
  const answer = "watch" in order ? watch(order).then(() => ({})) : report(order);
  void answer.then((message) => process.send?.(message));
});
