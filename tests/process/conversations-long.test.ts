import { randomInt } from "node:crypto";
import { expect, inject, test } from "vitest";
import { buildPages } from "#scripts/build.ts";
import { brokenPromises, readAll, sendAll, type Writer } from "#tests/history/messages.ts";
import { differenceFromModel } from "#tests/history/unread-model.ts";
import { assign } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { dataFolder, freePort, type Server, startServer } from "#tests/support/server-process.ts";
import { freshDatabase, wayfare } from "#tests/support/wayfare.ts";

const hour = 3_600_000;
/** Runs a part of it every night; `npm run test:load -- conversations` runs 100,000 acts and 10,000 messages. */
const isWhole = process.env["CONVERSATIONS"] === "whole";
const acts = isWhole ? 100_000 : 3_000;

test(`unread counts agree with a model after each of ${acts} random acts`, { timeout: hour }, async () => {
  const w = await wayfare();
  expect(await differenceFromModel(w, acts, randomInt(1_000_000))).toBeNull();
  await w.stop();
});

const people = 50;
const messagesEach = isWhole ? 200 : 20;
/** Number of acknowledged messages between two kills. */
const between = isWhole ? 1_000 : 250;

/** Returns a writer that calls servers over the network. An outage or a missing answer counts as a lost call. */
function writerOf(urls: readonly string[], { id, caller }: Person): Writer {
  return {
    id,
    async call(node, procedure, input) {
      const headers = { "content-type": "application/json", "x-csrf-token": "orpc", cookie: caller.cookie };
      const body = JSON.stringify({ json: input });
      const url = `${urls[node]}/rpc/${procedure.replace(".", "/")}`;
      try {
        const response = await fetch(url, { method: "POST", headers, body });
        const { json } = (await response.json()) as { json: { code?: string } };
        if (response.ok) return { kind: "done", body: json };
        if (response.status >= 500) return { kind: "lost" };
        return { kind: "refused", code: `${response.status} ${JSON.stringify(json)}` };
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { kind: "lost" };
      }
    },
  };
}

test(`${people * messagesEach} messages of ${people} people through two nodes that are killed in turn are stored once, in one order`, {
  timeout: hour,
}, async () => {
  buildPages();
  const database = await freshDatabase();
  const folder = await dataFolder();
  const { host, owner, application } = inject("postgres");
  const urlAs = (role: string) => `postgres://${role}@localhost/${database.address.database}?host=${host}`;
  const secret = "a secret for several nodes, long enough";
  const admins: Person[] = [];
  const start = (port: number) =>
    startServer({
      DATABASE_URL: urlAs(application),
      DATABASE_MIGRATION_URL: urlAs(owner),
      DATA_DIR: folder.path,
      SESSION_SECRET: secret,
      PORT: String(port),
      LOG_LEVEL: "info",
      // At its start a server removes all admins that it isn't configured with.
      ADMIN_EMAILS: admins.map(({ email }) => email).join(","),
    });
  const ports = [await freePort(), await freePort()];
  const servers: Server[] = [];
  const setUp = await wayfare({ variables: { SESSION_SECRET: secret }, on: database.address });
  // Disables the limits, since nobody writes as much as this test.
  for (const table of ["rate_limit", "brief_limit"])
    await setUp.asOwner(`
        create or replace function count_nothing() returns trigger language plpgsql as
          'begin new.points := 0; return new; end';
        create trigger count_nothing before insert or update on ${table}
          for each row execute function count_nothing()`);
  const student = await person(setUp, "student", "active");
  const agent = await person(setUp, "agent", "approved");
  await assign(setUp, student.id, agent.id);
  while (admins.length < people - 2) admins.push(await person(setUp, "admin", "active"));
  for (const port of ports) servers.push(await start(port));
  const urls = servers.map(({ url }) => url);
  const writers = [student, agent, ...admins].map((who) => writerOf(urls, who));

  let answers = 0;
  let kills = 0;
  let killing = Promise.resolve();
  const kill = async () => {
    const which = kills++ % 2;
    await servers[which]?.kill();
    servers[which] = await start(ports[which] ?? 0);
  };
  const acknowledged = await sendAll(writers, student.id, messagesEach, 2, () => {
    answers++;
    if (answers % between === 0) killing = killing.then(kill);
  });
  await killing;
  expect(kills).toBe((people * messagesEach) / between);
  const threadId = acknowledged[0]?.threadId ?? "";
  const readers = [0, 1, 2, people - 1].flatMap((at) => writers[at] ?? []);
  const histories = [];
  for (const [at, reader] of readers.entries()) histories.push(await readAll(reader, at % 2, threadId));
  expect(brokenPromises(acknowledged, histories)).toEqual([]);
  for (const server of servers) await server.stop();
  await setUp.stop();
  await folder.remove();
  await database.drop();
});
