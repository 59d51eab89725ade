import { checkMessage, type Side, waitingSideOf } from "#domain/conversation.ts";
import type { message, thread, threadReader } from "#server/features/conversations/tables.ts";
import type { Account } from "./people.ts";
import { at, Random } from "./random.ts";
import { after, day, later } from "./time.ts";

type Thread = typeof thread.$inferInsert & { id: string };
type Message = typeof message.$inferInsert & { at: Date };
export type Messages = {
  threads: Thread[];
  messages: Message[];
  readers: (typeof threadReader.$inferInsert)[];
};

/** A conversation; it ends with the last text of one side, so that some wait for the student and some for the agent. */
type Talk = readonly (readonly [side: Side, text: string])[];

const aboutApplications: readonly Talk[] = [
  [
    ["student", "Must my transcript be certified?"],
    ["staff", "Yes, by your university or a notary. A scan of the certified copy is fine for now."],
    ["student", "Thank you! I'll have it by Friday."],
    ["student", "Does it have to be translated as well?"],
  ],
  [
    ["staff", "The university asks for a second reference. Do you have somebody in mind?"],
    ["student", "My project supervisor, Dr Mensah."],
    ["staff", "Perfect. Please upload the letter under Recommendation 2 when you have it."],
  ],
  [
    ["student", "How long does the university usually take?"],
    [
      "staff",
      "About six weeks.\nThey publish their dates here: https://www.gov.uk/student-visa – worth a look, since the visa takes another three.",
    ],
    ["student", "That helps a lot."],
  ],
  [
    [
      "student",
      "I saw that the deadline has moved to 15 January. Do we still have time for the other programme?",
    ],
  ],
  [
    ["staff", "Your application is with the university now. I'll write as soon as they answer."],
    ["student", "Great, thanks!"],
    ["staff", "They have just confirmed that everything is complete."],
  ],
];
const general: readonly Talk[] = [
  [
    ["staff", "Welcome! I'm looking forward to working with you. Do you have a budget in mind?"],
    ["student", "Around £18,000 a year, living costs not included."],
    ["staff", "That's realistic. I've put three courses on your shortlist."],
  ],
  [["student", "Hello, can I change my phone number somewhere?"]],
];

type Application = { id?: string; createdAt?: Date | null | undefined };

/** Plans conversations about applications, and general ones, of students who have an agent. */
export class MessagePlan {
  readonly #random = new Random("messages");
  readonly #now: Date;
  readonly all: Messages = { threads: [], messages: [], readers: [] };
  #begun = 0;

  constructor(now: Date) {
    this.#now = now;
  }

  add(student: Account, applications: readonly Application[], isLead: boolean): void {
    const agentId = student.assignedAgentId;
    if (typeof agentId !== "string") return;
    for (const each of applications)
      if (isLead || this.#random.chance(0.4))
        this.#talk(student, agentId, at(aboutApplications, this.#begun++), each.id ?? null, each.createdAt);
    if (isLead || this.#random.chance(0.2))
      this.#talk(student, agentId, at(general, this.#begun++), null, student.assignedAt);
  }

  #talk(
    { id: studentId, createdAt }: Account,
    agentId: string,
    talk: Talk,
    applicationId: string | null,
    begins: Date | null | undefined,
  ): void {
    const random = this.#random;
    const id = random.uuid();
    const from = after(begins ?? createdAt, day);
    const times = random.times(talk.length, later(from, after(this.#now, -20 * day)), this.#now);
    const messages = talk.map(([side, text], place): Message => {
      const message = checkMessage(text, 0);
      if ("code" in message) throw new Error(message.message);
      const authorId = side === "student" ? studentId : agentId;
      const number = place + 1;
      return {
        threadId: id,
        number,
        authorId,
        side,
        ...message,
        key: random.uuid(),
        at: times[place] ?? this.#now,
      };
    });
    const last = at(messages, messages.length - 1);
    const { waiting, since } = waitingSideOf(messages.map((each) => ({ ...each, isSettled: false })));
    this.all.threads.push({
      id,
      studentId,
      applicationId,
      lastNumber: last.number,
      lastAt: last.at,
      waiting,
      waitingSince: since,
    });
    this.all.messages.push(...messages);
    // The other side has read all but the last message.
    for (const userId of [studentId, agentId]) {
      const readUpTo = userId === last.authorId ? last.number : last.number - 1;
      this.all.readers.push({ threadId: id, userId, readUpTo });
    }
  }
}
