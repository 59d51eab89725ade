import { expect, test } from "vitest";
import { brokenPromises, readAll, sendAll, type Writer } from "#tests/history/messages.ts";
import { assign } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

/** Creates a writer who calls the nodes as functions; an outage of the database loses the call. */
function writerOf(nodes: readonly Wayfare[], { id, caller }: Person): Writer {
  return {
    id,
    async call(node, procedure, input) {
      const app = nodes[node]?.app;
      if (!app) throw new Error(`there is no node ${node}`);
      const response = await app.request(`/rpc/${procedure.replace(".", "/")}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-csrf-token": "orpc", cookie: caller.cookie },
        body: JSON.stringify({ json: input }),
      });
      const { json } = (await response.json()) as { json: { code?: string } };
      if (response.ok) return { kind: "done", body: json };
      const { code = "" } = json;
      return code === "unavailable" || code === "internal" ? { kind: "lost" } : { kind: "refused", code };
    },
  };
}

test("many people who write through two nodes with cut connections see the same messages, each once", async () => {
  const one = await wayfare();
  const other = await wayfare({ on: one.address });
  const nodes = [one, other];
  for (const { services } of nodes)
    services.limits.message = async () => ({ kind: "allowed", refund: async () => {} });
  const student = await person(one, "student", "active");
  const agent = await person(one, "agent", "approved");
  await assign(one, student.id, agent.id);
  const admins = await Promise.all(Array.from({ length: 6 }, () => person(one, "admin", "active")));
  const writers = [student, agent, ...admins].map((who) => writerOf(nodes, who));
  let answers = 0;
  const acknowledged = await sendAll(writers, student.id, 15, 2, () => {
    answers++;
    if (answers % 20 === 0) nodes[(answers / 20) % 2]?.services.database.sockets.cut("a test cuts it");
  });
  const threadId = acknowledged[0]?.threadId ?? "";
  const histories = [];
  for (const [at, reader] of writers.entries()) histories.push(await readAll(reader, at % 2, threadId));
  expect(brokenPromises(acknowledged, histories)).toEqual([]);
  expect(acknowledged).toHaveLength(8 * 15);
  await other.stop();
  await one.stop();
});
