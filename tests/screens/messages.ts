import type { Page } from "@playwright/test";
import type { Message, OpenedThread, Thread } from "#contract/conversations.ts";
import { jpeg, pdf } from "#tests/support/files.ts";
import { aFile, choose, notADocument } from "../e2e/uploads.ts";
import {
  file,
  longStudent,
  longTalk,
  longThread,
  message,
  ofAll,
  opened,
  talk,
  thread,
  threadId,
  waitingForStaff,
  waitingThread,
} from "./message-data.ts";
import {
  answered,
  dialog,
  failing,
  fulfill,
  hold,
  waiting as loading,
  press,
  type Screen,
  statesOf,
} from "./screen.ts";

const at = () => `/messages/${threadId}`;

/** Answers the conversation with these messages. */
const having =
  (messages: readonly Message[], changes: Partial<OpenedThread> = {}, more = false) =>
  async (page: Page) => {
    await answered("/rpc/conversations/read", {})(page);
    await answered("/rpc/conversations/thread", opened(changes))(page);
    await answered("/rpc/conversations/messages", { messages, more })(page);
  };

const lists =
  (threads: readonly Thread[], waiting: readonly Thread[] = []) =>
  async (page: Page) => {
    await answered("/rpc/conversations/counts", { unread: 3, waiting: waiting.length })(page);
    await page.route("**/rpc/conversations/list", (route) => {
      const { filter } = route.request().postDataJSON().json;
      return fulfill(route, { threads: filter === "waiting" ? waiting : threads, next: null });
    });
  };

const list = [
  ...statesOf("/messages", "student", {
    full: {
      before: lists(ofAll),
      shows: (page) => page.getByText("You took a message back"),
    },
    loading: loading("/rpc/conversations/list", "Loading messages"),
    failing: failing("/rpc/conversations/list"),
  }),
  ...statesOf("/messages", "newcomer", {
    empty: { shows: (page) => page.getByRole("link", { name: "General questions" }) },
  }),
  ...statesOf("/messages", "agent", {
    full: {
      before: lists([longThread, ...ofAll], [waitingThread, longThread]),
      shows: (page) => page.getByText("99+ new"),
    },
    loading: loading("/rpc/conversations/list", "Loading what waits for an answer"),
    failing: failing("/rpc/conversations/list"),
  }),
  ...statesOf("/messages", "newAgent", {
    empty: { before: lists([]), shows: (page) => page.getByText("No messages yet") },
  }),
  ...statesOf("/messages", "admin", {
    full: {
      before: lists([longThread, ...ofAll], [waitingThread, longThread]),
      shows: (page) => page.getByText("99+ new"),
    },
  }),
];

const notThere = {
  defined: true,
  code: "not-found",
  status: 404,
  message: "We couldn't find what you're looking for.",
};

const conversation = [
  ...statesOf("/messages/:threadId", "student", {
    full: { at, before: having(talk("student")), shows: (page) => page.getByText("Your school does.") },
    "passport number": {
      at,
      before: having(talk("student")),
      open: (page) => page.getByLabel(/^Message to/).fill("My passport number is A01234567."),
      shows: (page) => page.getByText("This looks like a passport number."),
    },
    "files chosen, almost too long": {
      at,
      before: having(talk("student")),
      open: async (page) => {
        await page.getByLabel(/^Message to/).fill("A long story. ".repeat(280));
        await choose(
          page,
          "Add files",
          aFile("the transcript of my school in Lagos, all four years, certified.pdf", pdf(2_400_000)),
          aFile("stamp.jpg", jpeg(1600, 1200)),
          aFile("page.pdf", notADocument),
        );
      },
      shows: (page) => page.getByText("This isn't a PDF, JPEG or PNG file."),
    },
    "keep dialog": {
      at,
      before: async (page) => {
        await having(talk("student"))(page);
        await answered("/rpc/documents/ofStudent", { slots: [] })(page);
      },
      open: (page) => press(page, "Keep as document: transcript, certified copy.pdf"),
      ...dialog("Keep as document"),
    },
    loading: { at, ...loading("/rpc/conversations/thread", "Loading the conversation") },
    "loading messages": {
      at,
      before: async (page) => {
        await having([])(page);
        await hold("/rpc/conversations/messages")(page);
      },
      shows: (page) => page.getByLabel("Loading messages"),
    },
    failing: { at, ...failing("/rpc/conversations/thread") },
    "not there": {
      at,
      before: (page) =>
        page.route("**/rpc/conversations/thread", (route) =>
          route.fulfill({ status: 404, json: { json: notThere } }),
        ),
      shows: (page) => page.getByText("This conversation isn't here"),
      complains: "refusals",
    },
  }),
  ...statesOf("/messages/:threadId", "agent", {
    "waiting, one unread": {
      at,
      before: having(talk("staff").slice(0, 5), { thread: waitingForStaff }),
      shows: (page) => page.getByRole("button", { name: "No answer needed" }),
    },
    "actions open": {
      at,
      before: having(talk("staff")),
      open: (page) => press(page, /^Actions for the message of Ada Obi/),
      shows: (page) => page.getByRole("button", { name: "Mark as unread from here" }),
    },
    "take-back dialog": {
      at,
      before: having(talk("staff")),
      open: (page) => press(page, "Take back"),
      ...dialog("Take this message back?"),
    },
    "500 messages": {
      at,
      before: having(longTalk, { thread: thread({ lastNumber: 500, readUpTo: 500 }) }, true),
      shows: (page) => page.getByText("500.", { exact: false }),
    },
    "new message below": {
      at,
      before: async (page) => {
        await having([])(page);
        await answered("/rpc/conversations/markUnread", {})(page);
        const others = longTalk.map((each) => ({ ...each, mine: false }));
        let count = 60;
        await page.route("**/rpc/conversations/messages", (route) =>
          fulfill(route, { messages: others.slice(0, count++), more: true }),
        );
      },
      open: async (page) => {
        await page.getByRole("button", { name: "Show earlier messages" }).focus();
        await page.evaluate("document.querySelector('main section').scrollTop = 0");
        // The next refetch of the messages brings the next one.
        await press(page, /^Actions for the message/);
        await press(page, "Mark as unread from here");
      },
      shows: (page) => page.getByRole("button", { name: "New messages" }),
    },
    "a file that isn't shared": {
      at,
      before: having([message(1, { files: [file({ name: null }), file({ id: "another" })] })]),
      shows: (page) => page.getByText("It isn't shared with you."),
    },
    "long names": {
      at,
      before: having(
        [
          message(1, {
            by: { role: "student", name: longStudent.name },
            text: "w".repeat(400),
            files: [file({ name: `${"transcript".repeat(20)}.pdf` })],
          }),
        ],
        { student: { ...longStudent, reachable: false } },
      ),
      shows: (page) => page.getByText("This student's account is closed"),
    },
  }),
  ...statesOf("/messages/:threadId", "admin", {
    "stubs, blacked out": {
      at,
      before: having([
        message(1, { state: "takenBack", text: "" }),
        message(2, { state: "blackedOut", text: "", reason: "It had somebody else's bank details." }),
        message(3, { by: null }),
        message(4, { by: { role: "admin", name: "" } }),
      ]),
      shows: (page) => page.getByText("It had somebody else's bank details."),
    },
    "black-out dialog": {
      at,
      before: having(talk("staff").map((each) => ({ ...each, mine: false }))),
      open: async (page) => {
        await press(page, /^Actions for the message of Ada Obi/);
        await press(page, "Black out");
      },
      ...dialog("Black out message"),
    },
  }),
  ...statesOf("/messages/new", "student", {
    "without messages": {
      at: ({ studentId }) => `/messages/new?student=${studentId}`,
      before: answered("/rpc/conversations/open", opened({ thread: null, application: null })),
      shows: (page) => page.getByText(/^No messages yet/),
    },
    "no agent": {
      at: ({ studentId }) => `/messages/new?student=${studentId}`,
      before: answered("/rpc/conversations/open", opened({ thread: null, agent: null, application: null })),
      shows: (page) => page.getByText("You have no agent at present: our team answers."),
    },
    failing: { at: () => "/messages/new?student=me", ...failing("/rpc/conversations/open") },
  }),
];

/** States of the conversations. Their answers are fake, because most of the states are rare. */
export const messageScreens: readonly Screen[] = [...list, ...conversation];
