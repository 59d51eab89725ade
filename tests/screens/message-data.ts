import type { Message, MessageFile, OpenedThread, Thread } from "#contract/conversations.ts";

export const threadId = "3f0c1a52-7f5e-4f43-9c3a-0d6f4f3f9b11";
const moment = (minutes: number) => new Date(Date.UTC(2026, 10, 21, 9, minutes));

const application: Thread["application"] = {
  id: "7b1d2c4e-11aa-4b7e-8a55-5d1d3f0e2a01",
  program: "MSc Data Science",
  university: "University of Leeds",
  startDate: "Fall Intake (August or September)",
  year: 2027,
  state: "inReview",
};
const student = { id: "0c7f9a34-5b1e-4a58-9f0e-0e3b5a7c9d21", name: "Ada Obi" };
const agent = { id: "c1e2d3f4-5a6b-4c7d-8e9f-0a1b2c3d4e5f", name: "Kofi Mensah" };
export const longStudent = {
  id: student.id,
  name: "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewis Featherstonehaughvandenbergfeathe",
};

export const thread = (changes: Partial<Thread> = {}): Thread => ({
  id: threadId,
  student,
  application,
  lastNumber: 6,
  lastAt: moment(50),
  waiting: null,
  waitingSince: null,
  readUpTo: 6,
  markedFrom: null,
  unread: 0,
  last: { side: "student", mine: false, state: "sent", preview: "Thank you! I'll ask the school.", files: 0 },
  ...changes,
});

export const message = (number: number, changes: Partial<Message> = {}): Message => ({
  number,
  at: moment(number * 7),
  side: number % 2 === 1 ? "student" : "staff",
  mine: false,
  by: number % 2 === 1 ? { role: "student", name: student.name } : { role: "agent", name: agent.name },
  state: "sent",
  text: `Message ${number}`,
  reason: "",
  files: [],
  takeBackUntil: null,
  ...changes,
});

export const file = (changes: Partial<MessageFile> = {}): MessageFile => ({
  id: "9a8b7c6d-1234-4abc-8def-001122334455",
  name: "transcript, certified copy.pdf",
  type: "application/pdf",
  size: 412_000,
  keptAs: null,
  ...changes,
});

/** Returns a conversation as this side sees it. */
export const talk = (viewer: "student" | "staff"): Message[] =>
  [
    message(1, {
      at: new Date("2026-11-19T15:10:00Z"),
      text: "Hello Kofi,\n\nmust my transcript be certified for this one, or is a scan enough?",
    }),
    message(2, {
      at: new Date("2026-11-20T08:02:00Z"),
      text: "Hello Ada, a scan is enough to apply. For the visa you need a certified copy: https://www.gov.uk/student-visa/documents-you-must-provide explains it.",
    }),
    message(3, {
      files: [
        file(),
        file({
          id: "9a8b7c6d-1234-4abc-8def-001122334456",
          name: "stamp.jpg",
          type: "image/jpeg",
          size: 1_840_000,
          keptAs: "recommendation1",
        }),
      ],
      text: "Like this?",
    }),
    message(4, { state: "takenBack", text: "" }),
    message(5, { text: "And who signs it?" }),
    message(6, {
      text: "Your school does. Ask them for two copies.",
      takeBackUntil: viewer === "staff" ? new Date("2099-01-01T00:00:00Z") : null,
    }),
  ].map((each) => ({ ...each, mine: each.side === viewer }));

export const opened = (changes: Partial<OpenedThread> = {}): OpenedThread => ({
  thread: thread(),
  student: { ...student, reachable: true },
  application,
  agent,
  ...changes,
});

const unreadThread = thread({
  id: "3f0c1a52-7f5e-4f43-9c3a-0d6f4f3f9b12",
  application: null,
  unread: 3,
  readUpTo: 3,
  waiting: "student",
  waitingSince: moment(12),
  last: { side: "staff", mine: false, state: "sent", preview: "", files: 2 },
});
export const longThread = thread({
  id: "3f0c1a52-7f5e-4f43-9c3a-0d6f4f3f9b13",
  student: longStudent,
  waiting: "staff",
  waitingSince: moment(3),
  unread: 101,
  last: {
    side: "student",
    mine: false,
    state: "sent",
    preview: "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswesse".padEnd(
      140,
      "n",
    ),
    files: 0,
  },
});
export const waitingThread = thread({
  id: "3f0c1a52-7f5e-4f43-9c3a-0d6f4f3f9b14",
  waiting: "staff",
  waitingSince: moment(1),
});
const stubThread = thread({
  id: "3f0c1a52-7f5e-4f43-9c3a-0d6f4f3f9b15",
  last: { side: "student", mine: true, state: "takenBack", preview: "", files: 0 },
});

export const ofAll = [unreadThread, stubThread, thread()];

export const waitingForStaff = thread({ waiting: "staff", waitingSince: moment(35), readUpTo: 4, unread: 1 });
export const longTalk = Array.from({ length: 500 }, (_, at) =>
  message(at + 1, {
    at: new Date(Date.UTC(2026, 8, 1, at * 3)),
    mine: at % 2 === 1,
    text: `${"A sentence that a student or an agent may well have written. ".repeat((at % 4) + 1)}${at + 1}.`,
  }),
);
