import { z } from "zod";
import { roles } from "#domain/account.ts";
import { applicationStates } from "#domain/application.ts";
import { conversationFilters, messageLimits, messageStates, sides } from "#domain/conversation.ts";
import { documentKinds, documentTypes } from "#domain/document.ts";
import { messagesPerPage, threadsPerPage } from "#protocol/page-sizes.ts";
import { applicationNames } from "./applications.ts";
import { done, guarded, id, pageLimit, pageOf, person, text } from "./base.ts";
import { linkModes } from "./documents.ts";
import { declared } from "./errors.ts";

const side = z.enum(sides);
const state = z.enum(messageStates);
const number = z.number().int().positive().max(2_147_483_647);
const upTo = z.number().int().min(0).max(2_147_483_647);

/**
 * One conversation as the caller sees it. `lastNumber`: of the newest message; they are numbered from 1. `waiting`: the
 * side that has to answer, `waitingSince` then. `unread`: messages of others above `readUpTo`, counted up to 100.
 * `markedFrom`: the caller marked it as unread from this message on. `last`: the newest message, with the beginning of
 * its text.
 */
const thread = z
  .object({
    id: z.string(),
    student: person,
    application: z
      .object({
        id: z.string(),
        ...applicationNames,
        state: z.enum(applicationStates),
      })
      .nullable(),
    lastNumber: z.number().int(),
    lastAt: z.date(),
    waiting: side.nullable(),
    waitingSince: z.date().nullable(),
    readUpTo: z.number().int(),
    markedFrom: z.number().int().nullable(),
    unread: z.number().int(),
    last: z.object({ side, mine: z.boolean(), state, preview: z.string(), files: z.number().int() }),
  })
  .meta({ title: "Conversation" });
export type Thread = z.infer<typeof thread>;

/**
 * `name` is null for an agent with whom the student has stopped sharing. `keptAs`: the slot into which it was copied as
 * a document. `size` in bytes.
 */
const messageFile = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    type: z.enum(documentTypes),
    size: z.number().int(),
    keptAs: z.enum(documentKinds).nullable(),
  })
  .meta({ title: "MessageFile" });
export type MessageFile = z.infer<typeof messageFile>;

/**
 * One message. `by` is null once its author's account is deleted; admins have no name here. A stub has neither text nor
 * files; `reason` is why it was blacked out. `takeBackUntil`: the caller can take it back until then; null if they
 * can't.
 */
const message = z
  .object({
    number: z.number().int(),
    at: z.date(),
    side,
    mine: z.boolean(),
    by: z.object({ role: z.enum(roles), name: z.string() }).nullable(),
    state,
    text: z.string(),
    reason: z.string(),
    files: z.array(messageFile),
    takeBackUntil: z.date().nullable(),
  })
  .meta({ title: "Message" });
export type Message = z.infer<typeof message>;

/**
 * A conversation that may not have begun: `thread` is null before its first message. `agent`: the student's assigned
 * agent; null if there is none who can answer, so that admins do. `reachable`: whether the student can read messages.
 */
const opened = z
  .object({
    thread: thread.nullable(),
    student: person.extend({ reachable: z.boolean() }).meta({ title: "ConversationStudent" }),
    application: thread.shape.application,
    agent: person.nullable(),
  })
  .meta({ title: "OpenConversation" });
export type OpenedThread = z.infer<typeof opened>;

const threadId = id;

/**
 * Conversations of a student with their agent and the admins: one for each application, and a general one
 * (docs/product.md, "Messages"). The student, the assigned agent and admins read and write; another approved agent gets
 * `permission-denied`, everyone else `not-found`. Files are uploaded by POST /files/messages/{studentId}, which returns
 * their id.
 */
export const conversations = {
  /**
   * The caller's conversations: a student's own, an agent's with their students, for admins all. `waiting` has the
   * longest waiting first, the others the newest message. An admin's `unread` are of students without an agent.
   */
  list: guarded({ who: "studentOrStaff" })
    .route({
      method: "GET",
      path: "/conversations",
      summary: "List your conversations",
      description:
        "Returns conversations, 25 per page. An agent's conversations are those with their students; an admin's are everyone's. The filter `waiting` returns those that wait for your side, longest waiting first; other filters return the newest message first. For an admin, `unread` returns only those of students without an agent who can answer.",
    })
    .errors(declared("not-found"))
    .input(
      z.object({
        filter: z.enum(conversationFilters).default("all"),
        studentId: id.optional(),
        ...pageOf(threadsPerPage),
      }),
    )
    .output(z.object({ threads: z.array(thread), next: z.string().nullable() })),

  /**
   * Conversations with unread messages, and those that wait for the caller's side, each counted up to 100. An admin's
   * unread ones are of students without an agent.
   */
  counts: guarded({ who: "studentOrStaff" })
    .route({
      method: "GET",
      path: "/conversations/counts",
      summary: "Count unread and waiting conversations",
      description:
        "Each number is counted up to 100. An admin's unread conversations are those of students without an agent who can answer, so that admins have to answer them.",
    })
    .output(z.object({ unread: z.number().int(), waiting: z.number().int() })),

  /** The general conversation of a student, or the one about an application, whether it has begun or not. */
  open: guarded({ who: "signedIn", reads: true })
    .errors(declared("not-found"))
    .input(z.object({ studentId: id, applicationId: id.nullable() }))
    .output(opened),

  thread: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/conversations/{threadId}",
      summary: "Get a conversation without its messages",
      description: "Returns whom the conversation is with, what it is about, and what you have read of it.",
    })
    .errors(declared("not-found"))
    .input(z.object({ threadId }))
    .output(opened),

  /** In the order of their numbers: the last ones, those below `before`, or those above `after`. */
  messages: guarded({ who: "signedIn" })
    .route({
      method: "GET",
      path: "/conversations/{threadId}/messages",
      summary: "List the messages of a conversation",
      description:
        "Returns messages in the order of their numbers, 50 per page: the last ones, those before the number `before`, or those after the number `after`. `more` says whether there are others in that direction. Reading messages here doesn't mark them as read.",
    })
    .errors(declared("not-found"))
    .input(
      z.object({
        threadId,
        before: number.optional(),
        after: upTo.optional(),
        limit: pageLimit(messagesPerPage),
      }),
    )
    .output(z.object({ messages: z.array(message), more: z.boolean() })),

  /**
   * Sends a message; the first one begins the conversation. `key` identifies it: sent again with the same key, it is
   * stored once, with the same response. `files`: ids of uploaded files that no message has yet. `failed-precondition`:
   * the student's account is closed, or a file is deleted.
   */
  send: guarded({ who: "signedIn" })
    .route({
      method: "POST",
      path: "/students/{studentId}/messages",
      summary: "Send a message",
      description:
        "The first message begins the conversation: the one about the application `applicationId`, or the general one if it is null. `key` is a UUID that you choose: a message that you send again with the same key is sent only once, and the response is the same. A message can have up to 5 files, which only a browser can upload.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(
      z.object({
        studentId: id,
        applicationId: id.nullable().default(null),
        key: z.uuid(),
        text: text(messageLimits.text * 2).default(""),
        files: z.array(id).max(messageLimits.files).default([]),
      }),
    )
    .output(z.object({ threadId: z.string(), number: z.number().int() }).meta({ title: "SentMessage" })),

  /** Takes the caller's message back, within 15 minutes and before others have read it. Else `failed-precondition`. */
  takeBack: guarded({ who: "signedIn" })
    .route({
      method: "POST",
      path: "/conversations/{threadId}/messages/{number}/take-back",
      summary: "Take a message back",
      description:
        "Takes back your own message, within 15 minutes and while nobody else has read it. Its text and files are deleted, and a stub stays. `failed-precondition`: it is too late, or the message has been read.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ threadId, number }))
    .output(done),

  /** Permanently deletes text and files of any message. The stub shows the reason. */
  blackOut: guarded({ who: "admin" })
    .route({
      method: "POST",
      path: "/conversations/{threadId}/messages/{number}/black-out",
      summary: "Black out a message",
      description:
        "Permanently deletes the message's text and files. Everyone in the conversation sees a stub with the reason.",
    })
    .errors(declared("not-found", "failed-precondition", "form/incomplete"))
    .input(z.object({ threadId, number, reason: text(4096) }))
    .output(done),

  /**
   * Marks messages up to a number as read. `markedFrom`: the mark that the caller saw; if there is another one by now,
   * nothing changes, so that a late call can't undo "Mark as unread". A page that shows the thread in a visible tab
   * repeats the call every two minutes, and no email is sent meanwhile.
   */
  read: guarded({ who: "signedIn" })
    .route({
      method: "POST",
      path: "/conversations/{threadId}/read",
      summary: "Mark messages as read",
      description:
        "Marks messages up to the number `upTo` as read. Messages that were read before stay read. `markedFrom` is the conversation's `markedFrom` as you saw it; if it has changed since, the call has no effect.",
    })
    .errors(declared("not-found"))
    .input(z.object({ threadId, upTo, markedFrom: number.nullable().default(null) }))
    .output(done),

  /** Marks messages from a number on as unread, only for the caller. */
  markUnread: guarded({ who: "signedIn" })
    .route({
      method: "POST",
      path: "/conversations/{threadId}/unread",
      summary: "Mark messages as unread",
      description: "Marks messages from the number `from` onwards as unread, for you only.",
    })
    .errors(declared("not-found"))
    .input(z.object({ threadId, from: number }))
    .output(done),

  /**
   * Says that the messages up to `lastNumber` need no answer from the caller's side. `failed-precondition`: there is a
   * newer one.
   */
  needsNoAnswer: guarded({ who: "signedIn" })
    .route({
      method: "POST",
      path: "/conversations/{threadId}/no-answer-needed",
      summary: "Mark a conversation as needing no answer",
      description:
        "The conversation no longer waits for your side. `lastNumber` is the number of the last message that you saw. `failed-precondition`: there is a newer message.",
    })
    .errors(declared("not-found", "failed-precondition"))
    .input(z.object({ threadId, lastNumber: number }))
    .output(done),

  /** Returns an address of one file, for 5 minutes and only this session. The audit log records each use. */
  fileLink: guarded({ who: "signedIn" })
    .errors(declared("not-found", "look/reason-required"))
    .input(z.object({ fileId: id, mode: z.enum(linkModes) }))
    .output(z.object({ url: z.string(), expiresAt: z.date() })),

  /**
   * Copies a file of a message into one of the student's document slots, as if it was uploaded there: it waits for
   * review, and replaces the slot's file. Staff can keep files that the student sent.
   */
  keepFile: guarded({ who: "signedIn" })
    .errors(
      declared("not-found", "failed-precondition", "invalid-argument", "out-of-range", "resource-exhausted"),
    )
    .input(z.object({ fileId: id, kind: z.enum(documentKinds) }))
    .output(done),

  /** Deletes an uploaded file that no message has yet. */
  discardFile: guarded({ who: "signedIn" })
    .errors(declared("not-found"))
    .input(z.object({ fileId: id }))
    .output(done),
};
