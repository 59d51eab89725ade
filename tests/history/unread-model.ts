import { randomUUID } from "node:crypto";
import { type MessageState, otherSide, type Side } from "#domain/conversation.ts";
import { belowFrom } from "#domain/seeded-random.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import {
  markThreadRead,
  markThreadUnread,
  settleThread,
} from "#server/features/conversations/commands/reading.ts";
import { sendMessage } from "#server/features/conversations/commands/send.ts";
import { blackOutMessage, takeBackMessage } from "#server/features/conversations/commands/stubs.ts";
import { listThreads } from "#server/features/conversations/queries.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import { Refusal } from "#server/refusal.ts";
import { submit } from "#tests/support/applications.ts";
import { textIn } from "#tests/support/caller.ts";
import { assign } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";

/** A model of the rules for one thread. Only the numbers of its messages matter. */
class ThreadModel {
  readonly #messages: { author: string; side: Side; state: MessageState }[] = [];
  readonly #readings = new Map<string, { upTo: number; markedFrom: number | null }>();
  /** The highest number that each person has ever read. */
  readonly #seen = new Map<string, number>();
  /** The number up to which each side has said that the other side's messages need no answer. */
  readonly #settled: Record<Side, number> = { student: 0, staff: 0 };

  get length(): number {
    return this.#messages.length;
  }

  readingOf(who: string) {
    return this.#readings.get(who) ?? { upTo: 0, markedFrom: null };
  }

  get waiting(): Side | null {
    const last = this.#messages.findLastIndex(({ state }) => state !== "takenBack");
    const side = this.#messages[last]?.side;
    if (!side) return null;
    return last < this.#settled[otherSide[side]] ? null : otherSide[side];
  }

  settle(side: Side): void {
    if (this.waiting === side) this.#settled[side] = this.length;
  }

  #setReading(who: string, reading: { upTo: number; markedFrom: number | null }): void {
    this.#readings.set(who, reading);
    this.#seen.set(who, Math.max(reading.upTo, this.#seen.get(who) ?? 0));
  }

  send(author: string, side: Side): void {
    const { upTo, markedFrom } = this.readingOf(author);
    // A writer who has read everything has read their own message too.
    if (upTo === this.length && markedFrom === null)
      this.#setReading(author, { upTo: this.length + 1, markedFrom });
    this.#messages.push({ author, side, state: "sent" });
  }

  read(who: string, upTo: number, seenMark: number | null): void {
    const before = this.readingOf(who);
    if (before.markedFrom !== seenMark) return;
    const after = Math.max(before.upTo, Math.min(upTo, this.length));
    this.#setReading(who, {
      upTo: after,
      markedFrom: seenMark !== null && after < seenMark ? seenMark : null,
    });
  }

  markUnread(who: string, from: number): boolean {
    if (from > this.length) return false;
    this.#setReading(who, { upTo: Math.min(this.readingOf(who).upTo, from - 1), markedFrom: from });
    return true;
  }

  unreadOf(who: string): number {
    const unread = this.#messages.slice(this.readingOf(who).upTo);
    return unread.filter(({ author, state }) => author !== who && state === "sent").length;
  }

  takeBack(who: string, number: number): boolean {
    const message = this.#messages[number - 1];
    const isRead = [...this.#seen].some(([reader, upTo]) => reader !== message?.author && upTo >= number);
    if (message?.state !== "sent" || message.author !== who || isRead) return false;
    message.state = "takenBack";
    return true;
  }

  blackOut(number: number): boolean {
    const message = this.#messages[number - 1];
    if (message?.state !== "sent") return false;
    message.state = "blackedOut";
    return true;
  }
}

/** Whether an act succeeded in Wayfare and in the model; certain if it can't be refused. */
type Outcome = { done: boolean; expected: boolean };
const certain: Outcome = { done: true, expected: true };

async function attempt(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** A conversation in three threads of one student, whose participants act at random. */
class RandomConversation {
  readonly #w: Wayfare;
  readonly #below: (count: number) => number;
  readonly #student: Person;
  readonly #agents: readonly [Person, Person];
  readonly #admin: Person;
  readonly #applications: readonly (string | null)[];
  readonly #threads = new Map<string, ThreadModel>();
  #agent: Person;

  private constructor(
    w: Wayfare,
    seed: number,
    people: { student: Person; agents: readonly [Person, Person]; admin: Person },
    applications: readonly (string | null)[],
  ) {
    this.#w = w;
    this.#below = belowFrom(seed);
    this.#student = people.student;
    this.#agents = people.agents;
    this.#admin = people.admin;
    this.#applications = applications;
    [this.#agent] = people.agents;
  }

  static async begin(w: Wayfare, seed: number): Promise<RandomConversation> {
    const student = await person(w, "student", "active");
    const agents = [await person(w, "agent", "approved"), await person(w, "agent", "approved")] as const;
    const admin = await person(w, "admin", "active");
    const applications: (string | null)[] = [null];
    for (const program of ["Nursing", "Law"])
      applications.push(textIn((await submit(student, { program })).body, "id"));
    await assign(w, student.id, agents[0].id);
    return new RandomConversation(w, seed, { student, agents, admin }, applications);
  }

  /** Carries out one act, and returns the difference between Wayfare and the model, if any. */
  async act(): Promise<string | null> {
    const by = this.#randomPerson();
    const { done, expected } = await this.#randomAct(by, this.#below(20));
    if (done !== expected) return `an act was ${done ? "carried out" : "refused"}`;
    return await this.#compare(this.#randomPerson());
  }

  /** Returns a random current participant. */
  #randomPerson(): Person {
    return [this.#student, this.#agent, this.#admin][this.#below(3)] ?? this.#student;
  }

  async #randomAct(by: Person, kind: number): Promise<Outcome> {
    const { services } = this.#w;
    const actor = { userId: by.id, address: "203.0.113.7" };
    const [threadId, model] = [...this.#threads][this.#below(this.#threads.size)] ?? ["", null];
    if (model === null || kind < 7) return await this.#send(actor);
    const recent = Math.max(1, model.length - this.#below(4));
    if (kind < 12) {
      const markedFrom = this.#below(8) === 0 ? 1 : model.readingOf(by.id).markedFrom;
      const upTo = this.#below(model.length + 3);
      await markThreadRead(services, actor, { threadId, upTo, markedFrom });
      model.read(by.id, upTo, markedFrom);
      return certain;
    }
    if (kind < 14) {
      const from = 1 + this.#below(model.length + 1);
      const done = await attempt(markThreadUnread(services, actor, { threadId, from }));
      return { done, expected: model.markUnread(by.id, from) };
    }
    if (kind < 17) {
      const done = await attempt(takeBackMessage(services, actor, { threadId, number: recent }));
      return { done, expected: model.takeBack(by.id, recent) };
    }
    if (kind === 17) {
      const admin = { ...actor, userId: this.#admin.id };
      const stub = { threadId, number: recent, reason: "Why not." };
      const done = await attempt(blackOutMessage(services, admin, stub));
      return { done, expected: model.blackOut(recent) };
    }
    if (kind === 18) {
      await settleThread(services, actor, { threadId, lastNumber: model.length });
      model.settle(this.#sideOf(by.id));
      return certain;
    }
    const [one, other] = this.#agents;
    this.#agent = this.#agent === one ? other : one;
    await assign(this.#w, this.#student.id, this.#agent.id);
    return certain;
  }

  #sideOf(userId: string): Side {
    return userId === this.#student.id ? "student" : "staff";
  }

  async #send(actor: Actor): Promise<Outcome> {
    const applicationId = this.#applications[this.#below(3)] ?? null;
    const draft = { studentId: this.#student.id, applicationId, key: randomUUID(), text: "Hello", files: [] };
    const { threadId, number } = await sendMessage(this.#w.services, actor, draft);
    const model = this.#threads.get(threadId) ?? new ThreadModel();
    this.#threads.set(threadId, model);
    model.send(actor.userId, this.#sideOf(actor.userId));
    return { done: number === model.length, expected: true };
  }

  async #compare({ id, caller }: Person): Promise<string | null> {
    const { services } = this.#w;
    const session: Session | null = await services.sessions.check(caller.cookie);
    if (!session) throw new Error("there is no session");
    const query = { filter: "all", studentId: this.#student.id, cursor: null } as const;
    const { threads } = await listThreads(services.database.db, session, query);
    for (const { id: threadId, unread, waiting } of threads) {
      const model = this.#threads.get(threadId);
      if (waiting !== model?.waiting) return `it waits for ${waiting} in place of ${model?.waiting}`;
      const expected = Math.min(model.unreadOf(id), 100);
      if (unread !== expected) return `${unread} unread messages in place of ${expected}`;
    }
    return threads.length === this.#threads.size ? null : "a thread is missing";
  }
}

/** Number of acts in one conversation. Threads that grow long make each act slower. */
const actsEach = 1000;
/** Number of concurrent conversations. They are about different students, so they don't interfere. */
const concurrency = 8;

/** Carries out this many random acts, and returns the first difference between Wayfare and the model, or null. */
export async function differenceFromModel(w: Wayfare, acts: number, seed: number): Promise<string | null> {
  // The limit of an account doesn't matter here.
  w.services.limits.message = async () => ({ kind: "allowed", refund: async () => {} });
  let begun = 0;
  let difference: string | null = null;
  async function converse(): Promise<void> {
    while (begun < acts && difference === null) {
      const first = begun;
      begun += actsEach;
      difference ??= await differenceInConversation(w, seed + first, Math.min(actsEach, acts - first));
    }
  }
  await Promise.all(Array.from({ length: concurrency }, converse));
  return difference;
}

async function differenceInConversation(w: Wayfare, seed: number, acts: number): Promise<string | null> {
  const talk = await RandomConversation.begin(w, seed);
  for (let act = 0; act < acts; act++) {
    const difference = await talk.act();
    if (difference !== null) return `seed ${seed}, act ${act}: ${difference}`;
  }
  return null;
}
