import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createApp } from "#server/app.ts";
import { compose } from "#server/compose.ts";
import { createAccount } from "#server/features/account/commands/create-account.ts";
import { readEnvironment } from "#server/platform/environment.ts";
import { createLog } from "#server/platform/log.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Figure, median, milliseconds, p95 } from "./measure.ts";
import { processorTime } from "./processor-time.ts";
import { openServerFixture } from "./server-fixture.ts";

/** Number of open conversations, of agents (each writes less than the limit of an hour), and of messages. */
const [openThreads, agents, messages] = [1_000, 8, 300];
const everyMilliseconds = 100;
const within = 1_000;

/** A student's browser with a conversation open: refetches what an event names, as the page does. */
class Screen {
  readonly threadId: string;
  readonly #url: string;
  readonly #cookie: string;
  readonly #shown = new Set<string>();
  readonly #waiting = new Map<string, () => void>();
  #stream: Socket | null = null;
  #isRefetching = false;
  #isStale = false;

  private constructor(url: string, cookie: string, threadId: string) {
    [this.#url, this.#cookie, this.threadId] = [url, cookie, threadId];
  }

  static async open(url: string, cookie: string, threadId: string): Promise<Screen> {
    const screen = new Screen(url, cookie, threadId);
    const { hostname, port, host } = new URL(url);
    const stream = connect(Number(port), hostname);
    stream.setEncoding("utf8");
    screen.#stream = stream;
    stream.write(
      `GET /live?topics=conversations,thread:${threadId} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\n\r\n`,
    );
    // The first event says that the viewer may watch the thread.
    for (let text = ""; !text.includes(`event: thread:${threadId}`); )
      text += (await once(stream, "data"))[0];
    stream.on("data", (text: string) => {
      if (text.includes("event: thread:")) void screen.#refetch();
    });
    return screen;
  }

  /** Resolves once the text is shown. */
  async shows(text: string): Promise<void> {
    if (!this.#shown.has(text)) await new Promise<void>((resolve) => this.#waiting.set(text, resolve));
  }

  async #refetch(): Promise<void> {
    this.#isStale = true;
    if (this.#isRefetching) return;
    this.#isRefetching = true;
    while (this.#isStale) {
      this.#isStale = false;
      const [, messages] = await Promise.all([this.#call("thread"), this.#call("messages")]);
      for (const [text] of messages.matchAll(/message-[\da-f-]{36}/g)) this.#show(text);
    }
    this.#isRefetching = false;
  }

  async #call(procedure: "thread" | "messages"): Promise<string> {
    const response = await fetch(`${this.#url}/rpc/conversations/${procedure}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": "orpc", cookie: this.#cookie },
      body: JSON.stringify({ json: { threadId: this.threadId } }),
    });
    if (!response.ok) throw new Error(`${procedure} answered ${response.status}`);
    return await response.text();
  }

  #show(text: string): void {
    this.#shown.add(text);
    this.#waiting.get(text)?.();
    this.#waiting.delete(text);
  }

  close(): void {
    this.#stream?.destroy();
  }
}

/** Opens a second node in this process, at which the agents write. */
async function openNode(address: Parameters<typeof compose>[1], secret: string) {
  const folder = await mkdtemp(join(tmpdir(), "wayfare-bench-"));
  const environment = readEnvironment({ DATA_DIR: folder, SESSION_SECRET: secret });
  const { services, stop } = await compose(environment, address, createLog("silent"));
  return {
    services,
    app: createApp(services),
    async stop() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
type Node = Awaited<ReturnType<typeof openNode>>;

/** Creates signed-in accounts; returns their ids and cookies. */
async function createPeople({ services }: Node, role: "student" | "agent", number: number) {
  const status = role === "student" ? "active" : "approved";
  return await services.database.transaction(async (tx) => {
    const people: { id: string; cookie: string }[] = [];
    while (people.length < number) {
      const email = `${randomUUID()}@example.org`;
      const names = { firstName: "Ada", lastName: "Obi" };
      const id = await createAccount(tx, { role, status, email, ...names }, "no password");
      const [cookie = ""] = (await services.sessions.open(tx, id)).split(";", 1);
      people.push({ id, cookie });
    }
    return people;
  });
}

const begin = `
  with begun as (
    insert into thread (student_id, last_number)
    select id, 1 from unnest($1::text[]) id returning id, student_id)
  insert into message (thread_id, number, author_id, side, text, key)
  select id, 1, student_id, 'student', 'Hello', gen_random_uuid() from begun returning thread_id, author_id`;

/**
 * Measures the time from an agent's press of "Send" at one node until another screen shows the text through a second
 * node, while 1,000 conversations are open.
 */
export async function messagesLive(): Promise<Figure[]> {
  const secret = "the same secret on every node here";
  const { server, address, pool, stop } = await openServerFixture({ SESSION_SECRET: secret });
  const node = await openNode(address, secret);
  const screens: Screen[] = [];
  try {
    const students = await createPeople(node, "student", openThreads);
    const staff = await createPeople(node, "agent", agents);
    const callers = staff.map(({ cookie }) => {
      const caller = new Caller(node.app);
      const [name = "", value = ""] = cookie.split("=", 2);
      caller.cookies.set(name, value);
      return caller;
    });
    for (const [at, { id }] of students.entries())
      await pool.query(`update "user" set assigned_agent_id = $1 where id = $2`, [
        staff[at % agents]?.id,
        id,
      ]);
    const { rows } = await pool.query<{ thread_id: string; author_id: string }>(begin, [
      students.map(({ id }) => id),
    ]);
    const threads = new Map(rows.map((row) => [row.author_id, row.thread_id]));
    for (const { id, cookie } of students)
      screens.push(await Screen.open(server.url, cookie, threads.get(id) ?? ""));

    const times: number[] = [];
    const showing: Promise<unknown>[] = [];
    const send = async (at: number) => {
      // A step without a common factor with 1,000 visits other conversations each time.
      const place = (at * 37) % openThreads;
      const text = `message-${randomUUID()}`;
      const began = performance.now();
      const input = { studentId: students[place]?.id, key: randomUUID(), text };
      const { code } = (await callers[place % agents]?.call("conversations.send", input)) ?? {};
      if (code !== null) throw new Error(`a message was refused: ${code}`);
      await screens[place]?.shows(text);
      times.push(performance.now() - began);
    };
    const before = await processorTime(server.pid);
    const began = performance.now();
    for (let at = 0; at < messages; at++) {
      await setTimeout(Math.max(0, began + at * everyMilliseconds - performance.now()));
      showing.push(send(at));
    }
    await Promise.all(showing);
    const value = p95(times);
    const rate = 1000 / everyMilliseconds;
    const cost = ((await processorTime(server.pid)) - before) / messages;
    const detail = `${openThreads} open, ${rate} messages a second, median ${milliseconds(median(times))}, ${milliseconds(cost)} of the reading node's processor each; all ${times.length} shown`;
    return [
      {
        name: "send → other's screen p95, ms",
        value,
        limit: `at most ${within}`,
        holds: value <= within,
        detail,
      },
    ];
  } finally {
    for (const screen of screens) screen.close();
    await node.stop();
    await stop();
  }
}
