import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { goodPassword, signUpForm } from "#tests/support/factories.ts";
import {
  dataFolder,
  freePort,
  launchServer,
  messageOf,
  npmStart,
  type Server,
  startServer,
} from "#tests/support/server-process.ts";
import { freshDatabase, until } from "#tests/support/wayfare.ts";

/** Returns a browser with its own cookies, whose requests can go to any of several processes. */
function browser() {
  const cookies = new Map<string, string>();
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return {
    cookie,
    async call(server: Server, procedure: string, input: object = {}) {
      const response = await fetch(`${server.url}/rpc/${procedure}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-csrf-token": "orpc", cookie: cookie() },
        body: JSON.stringify({ json: input }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value) cookies.set(name, value);
      }
      const body: { json: Record<string, unknown> } = JSON.parse(await response.text());
      return { status: response.status, json: body.json };
    },
  };
}

const running: Server[] = [];
const start = async (variables: Record<string, string>, command?: typeof npmStart) => {
  const server = await startServer(variables, command);
  running.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

const secret = "a secret for several nodes, long enough";
/** A database as the application's role and as the owner. */
function addresses(database: string) {
  const { host, owner, application } = inject("postgres");
  const as = (user: string) => `postgres://${user}@localhost/${database}?host=${host}`;
  return { DATABASE_URL: as(application), DATABASE_MIGRATION_URL: as(owner) };
}
const linkFor = (server: Server, email: string) =>
  server.find((line) => (line.includes(email) ? (/token=([\w.-]+)/.exec(line)?.[1] ?? null) : null));

describe("two processes on one database", () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let one: Server;
  let two: Server;
  beforeAll(async () => {
    database = await freshDatabase();
    const DATA_DIR = await mkdtemp(join(tmpdir(), "wayfare-nodes-"));
    const variables = {
      ...addresses(database.address.database),
      DATA_DIR,
      SESSION_SECRET: secret,
      ADMIN_EMAILS: "boss@example.org",
    };
    [one, two] = await Promise.all([startServer(variables), startServer(variables)]);
  });
  afterAll(async () => {
    await Promise.all([one.stop(), two.stop()]);
    await database.drop();
  });

  test("an agent revoked through one is logged out on both, and their streams end", async () => {
    const boss = browser();
    const token = await linkFor(one, "boss@example.org");
    const password = "fifteen letters or more";
    expect(
      (await boss.call(two, "account/setPassword", { token, password, confirmPassword: password })).status,
    ).toBe(200);
    await boss.call(one, "account/signIn", { email: "boss@example.org", password });

    const agent = browser();
    const { json } = await agent.call(one, "account/signUp", signUpForm({ role: "agent" }));
    const store = new pg.Client(database.address);
    await store.connect();
    await store.query(`update "user" set email_verified = true where id = $1`, [json["id"]]);
    const { rows } = await store.query("select password from account where user_id = $1", [json["id"]]);
    expect(rows).toEqual([{ password: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) }]);
    await store.end();
    expect((await boss.call(one, "agents/approve", { id: json["id"] })).status).toBe(200);
    await until(async () => {
      const me = await agent.call(two, "account/me");
      return JSON.stringify(me.json).includes('"approved"');
    });
    const stream = await fetch(`${two.url}/live?topics=account`, { headers: { cookie: agent.cookie() } });
    expect((await boss.call(one, "agents/revoke", { id: json["id"] })).status).toBe(200);
    expect((await agent.call(one, "account/me")).json).toEqual({ viewer: null });
    expect(await stream.text()).toContain("event: signed-out");
    await until(async () => (await agent.call(two, "account/me")).json["viewer"] === null);
  });

  test("the account's limits are shared", async () => {
    const email = "target@example.org";
    for (let times = 0; times < 5; times++)
      for (const server of [one, two])
        expect((await browser().call(server, "account/signIn", { email, password: "wrong" })).status).toBe(
          401,
        );
    for (const server of [one, two])
      expect((await browser().call(server, "account/signIn", { email, password: "wrong" })).status).toBe(429);
  });
});

test("several nodes that start together on an empty database migrate it once", async () => {
  const { host, owner } = inject("postgres");
  const name = `empty_${process.pid}`;
  const operator = new pg.Client({ host, user: owner, database: "postgres" });
  await operator.connect();
  await operator.query(`create database ${name}`);
  const variables = {
    ...addresses(name),
    DATA_DIR: await mkdtemp(join(tmpdir(), "wayfare-nodes-")),
    SESSION_SECRET: secret,
  };
  const nodes = await Promise.all([start(variables), start(variables), start(variables)]);
  for (const node of nodes)
    expect(await (await fetch(`${node.url}/readyz`)).json()).toEqual({ database: true, storage: true });
  await Promise.all(running.splice(0).map((server) => server.stop()));
  await operator.query(`drop database ${name} with (force)`);
  await operator.end();
});

describe("one process with the embedded PostgreSQL", () => {
  /** The data folder: each test leaves it as a stopped Wayfare does. */
  let folder: Awaited<ReturnType<typeof dataFolder>>;
  beforeAll(async () => {
    folder = await dataFolder();
  });
  afterAll(() => folder.remove());

  test("SIGTERM ends it with 0 despite an open stream; a killed one restarts without loss", async () => {
    const variables = { DATA_DIR: folder.path };
    const first = await start(variables);
    const student = browser();
    const form = signUpForm();
    expect((await student.call(first, "account/signUp", form)).status).toBe(200);
    await first.kill();

    const second = await start(variables);
    expect((await student.call(second, "account/me")).json).toMatchObject({ viewer: { email: form.email } });
    // The killed server's mail was queued or written already, so it is not lost.
    const stream = await fetch(`${second.url}/live?topics=account`, {
      headers: { cookie: student.cookie() },
    });
    const [code] = await Promise.all([second.stop(), stream.text()]);
    expect(code).toBe(0);
    const login = { email: form.email, password: goodPassword };
    const third = await start(variables);
    expect((await browser().call(third, "account/signIn", login)).status).toBe(200);
    expect(await third.stop()).toBe(0);
    // A program can read their output.
    const lines = [first, second, third].flatMap((server) => server.lines);
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(JSON.parse(line), line).toHaveProperty("msg");
  });

  test.each([
    { signals: ["SIGHUP"] },
    { signals: ["SIGQUIT"] },
    { signals: ["SIGINT", "SIGINT"] },
    { signals: ["SIGTERM", "SIGHUP", "SIGINT"] },
  ] as const)("$signals shuts it down cleanly, with its PostgreSQL", async ({ signals }) => {
    const server = await start({ DATA_DIR: folder.path });
    expect(await server.stop(...signals)).toBe(0);
    expect(await readdir(join(folder.path, "postgres"))).not.toContain("postmaster.pid");
  });

  test("it keeps running when nobody reads its output", async () => {
    const server = await start({ DATA_DIR: folder.path });
    const cluster = join(folder.path, "postgres");
    const pidFile = join(cluster, "postmaster.pid");
    const readPid = async () => Number((await readFile(pidFile, "utf8")).split("\n", 1)[0]);
    const before = await readPid();
    server.closeOutput();
    // The server reports this kill in a line of its output, which is closed.
    process.kill(before, "SIGKILL");
    await until(async () => ![0, before].includes(await readPid().catch(() => 0)));
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(await readdir(cluster)).not.toContain("postmaster.pid");
  });

  test("npm passes SIGTERM on", async () => {
    const server = await start({ DATA_DIR: folder.path }, npmStart);
    expect(await server.stop()).toBe(0);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow("fetch failed");
  });

  test("a second one on the same folder reports it and ends", async () => {
    const first = await start({ DATA_DIR: folder.path });
    const second = await launchServer({ DATA_DIR: folder.path });
    await second.find((line) =>
      line.includes("Another Wayfare is running on this data folder") ? true : null,
    );
    expect(await second.stop()).toBe(1);
    expect(second.lines.join()).not.toContain('"stack"');
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
    await first.stop();
  });

  test("a port in use is reported without a stack trace", async () => {
    const port = await freePort();
    const other = createServer().listen(port);
    const server = await launchServer({ PORT: String(port), DATA_DIR: folder.path });
    await server.find((line) => (line.includes(`PORT ${port} is in use`) ? true : null));
    expect(await server.stop()).toBe(1);
    expect(server.lines.join()).not.toContain('"stack"');
    other.close();
  });
});

test("an invalid variable is named, and nothing is started", async () => {
  const server = await launchServer({ SMTP_URL: "nonsense" });
  await server.find((line) =>
    line.includes("SMTP_URL must be an smtp:// or smtps:// address") ? true : null,
  );
  expect(await server.stop()).toBe(1);
});

test("an invalid variable is named in readable lines with LOG_FORMAT=text", async () => {
  const server = await launchServer({ SMTP_URL: "nonsense", LOG_FORMAT: "text" });
  const line = await server.find((each) => (each.includes("The configuration isn't valid") ? each : null));
  expect(await server.stop()).toBe(1);
  expect(line).toMatch(/FATAL The configuration isn't valid:$/);
});

test("a database that a newer Wayfare has changed is left alone, and the server ends", async () => {
  const fresh = await freshDatabase();
  const owner = new pg.Client(fresh.owner);
  await owner.connect();
  await owner.query(
    "insert into drizzle.__drizzle_migrations (hash, created_at) values ('of the future', 9999999999999)",
  );
  const server = await launchServer({
    ...addresses(fresh.address.database),
    DATA_DIR: await mkdtemp(join(tmpdir(), "wayfare-newer-")),
    SESSION_SECRET: secret,
  });
  await server.find((line) =>
    line.includes("A newer version of Wayfare has changed this database") ? true : null,
  );
  expect(await server.stop()).toBe(1);
  expect(server.lines.join()).not.toContain('"stack"');
  await owner.end();
  await fresh.drop();
});

test("the server waits for an unreachable database without logging its password", async () => {
  const DATABASE_URL = "postgres://wayfare:well-hidden@127.0.0.1:1/wayfare";
  const server = await launchServer({ DATABASE_URL });
  const line = await server.find((each) => (messageOf(each).startsWith("Waiting") ? each : null));
  expect(line).toContain("PostgreSQL at 127.0.0.1, port 1 (DATABASE_URL)");
  expect(await server.stop()).toBe(0);
  expect(server.lines.join()).not.toContain("well-hidden");
});
