import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { createLink } from "#server/features/sign-in/links.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { statementsWait } from "#tests/support/conversations.ts";
import { assignedStudent, uploadHeaders } from "#tests/support/documents.ts";
import { freshEmail, goodPassword, type Person, person, storedUser } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { storedInvitation } from "#tests/support/invitations.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let other: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  const { dataDir, storageUrl } = w.environment;
  const variables = { DATA_DIR: dataDir, ...(storageUrl !== null && { STORAGE_URL: storageUrl }) };
  other = await wayfare({ on: w.address, variables });
  boss = await person(w, "admin", "active");
});
afterAll(async () => {
  await other.stop();
  await w.stop();
});

/** One of two racing acts. `run` resolves to the code of its refusal; `leaves` is the stored state if it wins. */
type Act = { run(node: Wayfare): Promise<string | null>; leaves: object };
/** A row that both acts wait for is `row`. */
type Race = {
  row: { table: string; id: string };
  acts: readonly [Act, Act];
  refusal: string;
  result(): Promise<unknown>;
};

const act = ({ caller }: Pick<Person, "caller">, procedure: string, input: object, leaves: object): Act => ({
  run: async ({ app }) => (await caller.on(app).call(procedure, input)).code,
  leaves,
});
const conflict = "failed-precondition";
const planOf = (studentId: string) => boss.caller.api.planner.ofStudent({ studentId });

async function newTask() {
  const { student, agent } = await assignedStudent(w);
  const form = { studentId: student.id, title: "Book the test", text: "", owner: "student" } as const;
  const { id } = await agent.caller.api.planner.addTask(form);
  const result = async () => (await planOf(student.id)).tasks[0];
  return { student, agent, id, result, row: { table: "task", id } };
}

async function newRequest() {
  const { student, agent } = await assignedStudent(w);
  const documentRequest = { kind: "other", name: "Bank statement", reason: "" } as const;
  const { ids } = await agent.caller.api.planner.askFor({
    studentId: student.id,
    requests: [documentRequest],
  });
  const id = ids[0] ?? "";
  const supply = async ({ app }: Wayfare, name: string) => {
    const init = { method: "POST", headers: uploadHeaders(name), body: new Uint8Array(pdf()) };
    const response = await student.caller.on(app).request(`/files/requests/${id}`, init);
    return response.ok ? null : textIn(await response.json(), "code");
  };
  const result = async () => (await planOf(student.id)).requests[0];
  return { agent, id, supply, result, row: { table: "request", id } };
}

async function newInvitation() {
  const [inviter, email] = [await person(w, "agent", "approved"), freshEmail("efua")];
  const id = await storedInvitation(w, inviter, { firstName: "Efua", email });
  const link = await createLink(w.services, { purpose: "invitation", invitationId: id });
  const token = new URL(link).searchParams.get("token");
  const answer = (procedure: string, input: object, leaves: object) =>
    act({ caller: new Caller(w.app) }, procedure, { token, ...input }, leaves);
  const rest = { lastName: "Owusu", phone: "", password: goodPassword, confirmPassword: goodPassword };
  const claim = (firstName: string) =>
    answer("invitations.claim", { firstName, ...rest }, [{ firstName, assignedAgentId: inviter.id }]);
  const decline = answer("invitations.decline", {}, []);
  const result = () => w.services.database.db.select().from(user).where(eq(user.email, email));
  return { claim, decline, result, row: { table: "invitation", id } };
}

const races: Record<string, () => Promise<Race>> = {
  async "moves of a task"() {
    const { student, agent, id: taskId, result, row } = await newTask();
    await student.caller.api.planner.moveTask({ taskId, version: 1, to: "done", note: "" });
    const move = (by: Person, to: string, note: string) =>
      act(by, "planner.moveTask", { taskId, version: 2, to, note }, { state: to, note, version: 3 });
    const acts = [move(agent, "checked", ""), move(boss, "open", "Which centre?")] as const;
    return { row, acts, refusal: conflict, result };
  },

  async "changes of a task"() {
    const { agent, id: taskId, result, row } = await newTask();
    const change = (by: Person, title: string) =>
      act(
        by,
        "planner.changeTask",
        { taskId, version: 1, title, text: "", due: null },
        { title, version: 2 },
      );
    const acts = [change(agent, "Book in Lagos"), change(boss, "Book in Accra")] as const;
    return { row, acts, refusal: conflict, result };
  },

  async "changes of a request"() {
    const { agent, id: requestId, result, row } = await newRequest();
    const rest = { blocks: false, due: null };
    const change = (by: Person, reason: string) =>
      act(by, "planner.changeRequest", { requestId, version: 1, reason, ...rest }, { reason, version: 2 });
    const acts = [change(agent, "For the visa"), change(boss, "For the deposit")] as const;
    return { row, acts, refusal: conflict, result };
  },

  async "decisions about a request"() {
    const { agent, id: requestId, supply, result, row } = await newRequest();
    expect(await supply(w, "statement.pdf")).toBeNull();
    const of = { requestId, version: 2 };
    const decide = (by: Person, decision: string, note: string) =>
      act(by, "planner.decideRequest", { ...of, decision, note }, { state: decision, note, version: 3 });
    const acts = [decide(agent, "accepted", ""), decide(boss, "sentBack", "Too dark.")] as const;
    return { row, acts, refusal: conflict, result };
  },

  async "files for a request"() {
    const { supply, result, row } = await newRequest();
    const send = (name: string): Act => ({
      run: (node) => supply(node, name),
      leaves: { state: "supplied", version: 2, file: { name } },
    });
    return { row, acts: [send("one.pdf"), send("two.pdf")], refusal: conflict, result };
  },

  async "decisions about a student's accounts"() {
    const [one, two] = [await person(w, "student", "active"), await person(w, "student", "active")];
    const decide = (by: Person, verdict: string) =>
      act(by, "duplicates.decide", { studentId: one.id, otherIds: [two.id], verdict }, [verdict]);
    const result = async () => {
      const { groups } = await boss.caller.api.duplicates.list({ show: "decided" });
      const own = groups.filter(({ members }) => members.some(({ id }) => id === one.id));
      return own.map(({ decision }) => decision?.verdict);
    };
    const acts = [decide(boss, "same"), decide(await person(w, "admin", "active"), "different")] as const;
    return { row: { table: '"user"', id: one.id }, acts, refusal: conflict, result };
  },

  async "claims of an invitation"() {
    const { row, claim, result } = await newInvitation();
    const acts = [claim("Efua"), claim("Esi")] as const;
    return { row, acts, refusal: "auth/email-already-in-use", result };
  },

  async "answers to an invitation"() {
    const { row, claim, decline, result } = await newInvitation();
    return { row, acts: [claim("Efua"), decline], refusal: "auth/invalid-action-code", result };
  },

  async "answers to a student who wants another agent"() {
    const { student } = await assignedStudent(w);
    await student.caller.api.students.askForChange({ reason: "She never answers." });
    const { requests } = await boss.caller.api.agents.changeRequests({});
    const id = requests.find((each) => each.student.id === student.id)?.id ?? "";
    const answer = (by: Person, { id: agentId }: Person) =>
      act(
        by,
        "agents.decideChange",
        { requestId: id, outcome: "another", agentId },
        { assignedAgentId: agentId },
      );
    const agents = [await person(w, "agent", "approved"), await person(w, "agent", "approved")] as const;
    const acts = [answer(boss, agents[0]), answer(await person(w, "admin", "active"), agents[1])] as const;
    const result = () => storedUser(w, student.id);
    return { row: { table: "change_request", id }, acts, refusal: conflict, result };
  },
};

/** Locks the row until both acts wait for it, so that neither ends before the other begins. */
async function runConcurrently({ table, id }: Race["row"], runs: readonly (() => Promise<string | null>)[]) {
  const holder = await w.services.database.pool.connect();
  try {
    await holder.query("begin");
    await holder.query(`select from ${table} where id = $1 for update`, [id]);
    const codes: Promise<string | null>[] = [];
    for (const run of runs) {
      codes.push(run());
      await statementsWait(w, codes.length);
    }
    await holder.query("commit");
    return await Promise.all(codes);
  } finally {
    holder.release(true);
  }
}

test.each(Object.entries(races))(
  "of two concurrent %s on two nodes, one succeeds and the other is refused",
  async (_name, prepare) => {
    for (const nodes of [
      [w, other],
      [other, w],
    ] as const)
      for (const order of [
        [0, 1],
        [1, 0],
      ] as const) {
        const { row, acts, refusal, result } = await prepare();
        const codes = await runConcurrently(
          row,
          order.map((at) => () => acts[at].run(nodes[at])),
        );
        expect(new Set(codes)).toEqual(new Set([refusal, null]));
        const winner = acts[order[codes.indexOf(null)] ?? 0];
        expect(await result()).toMatchObject(winner.leaves);
      }
  },
);
