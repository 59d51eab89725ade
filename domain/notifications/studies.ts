import { applicationDetails, applicationTitle } from "../application-notification.ts";
import { because, kind } from "./kind.ts";

/** Notifications about a student's documents and applications. */
export const studies = {
  documentUploaded: kind({
    label: "A document is ready for review",
    roles: ["agent", "admin"],
    about: { student: "always", document: "always" },
    ids: { studentId: "always", documentId: "always" },
    event: "document.uploaded",
    mail: "uploads",
    reachesLeaving: false,
    title: ({ student = "A student", document = "a document" }) => `${student} uploaded: ${document}`,
    button: "Review documents",
  }),
  enteredForYou: kind({
    label: "Something was entered for you",
    roles: ["student"],
    about: { agent: "always", document: "sometimes", what: "sometimes" },
    ids: { studentId: "always", documentId: "sometimes", requestId: "sometimes" },
    event: "student.entered-for",
    followed: { while: "sharing", label: "Something was entered for a student" },
    mail: "entries",
    reachesLeaving: false,
    title: ({ agent = "Your agent", document, what = "profile" }) =>
      document === undefined
        ? `${agent} filled in your ${what} for you`
        : `${agent} uploaded for you: ${document}`,
    details: () => "Please check it. You can change it yourself.",
    button: "Check it",
  }),
  documentApproved: kind({
    label: "A document was approved",
    roles: ["student"],
    about: { document: "always" },
    ids: { studentId: "always", documentId: "always" },
    event: "document.approved",
    followed: { while: "sharing" },
    mail: "reviews",
    reachesLeaving: false,
    title: ({ document = "A document" }) => `${document}: approved`,
    button: "See your documents",
  }),
  documentRejected: kind({
    label: "A document was rejected",
    roles: ["student"],
    about: { document: "always", reason: "always" },
    ids: { studentId: "always", documentId: "always" },
    event: "document.rejected",
    followed: { while: "sharing" },
    mail: "reviews",
    reachesLeaving: false,
    title: ({ document = "A document" }) => `${document}: please upload it again`,
    details: (about) => `It was rejected.${because(about)}`,
    button: "Upload a new file",
  }),
  applicationMoved: kind({
    label: "An application was updated",
    roles: ["student", "agent"],
    about: {
      program: "always",
      intake: "always",
      university: "sometimes",
      year: "sometimes",
      state: "always",
      from: "sometimes",
      student: "sometimes",
      note: "sometimes",
    },
    ids: { studentId: "always", applicationId: "always" },
    event: "application.moved",
    followed: { while: "assigned" },
    mail: "applications",
    reachesLeaving: false,
    title: applicationTitle,
    details: applicationDetails,
    button: "Open application",
  }),
  messageReceived: kind({
    label: "You have a new message",
    roles: ["student", "agent", "admin"],
    // An admin's message names no agent. For the agent, it names the student of the conversation.
    about: {
      side: "always",
      number: "always",
      agent: "sometimes",
      student: "sometimes",
      program: "sometimes",
    },
    ids: { studentId: "always", threadId: "always", applicationId: "sometimes" },
    event: "message.received",
    mail: "immediate",
    mailAfter: 5,
    push: { names: ["side", "agent", "student"], hours: 24, urgency: "normal", afterSeconds: 10 },
    reachesLeaving: false,
    title: ({ side, agent = "your consultancy", student, program }) => {
      const about = program === undefined ? "" : ` about ${program}`;
      if (side === "student") return `New message from ${student ?? "a student"}${about}`;
      return student === undefined
        ? `New message from ${agent}${about}`
        : `An administrator wrote to ${student}${about}`;
    },
    button: "Read message",
  }),
  confirmationAsked: kind({
    label: "Please confirm what will be sent",
    roles: ["student"],
    about: { application: "always" },
    ids: { studentId: "always", applicationId: "always" },
    event: "application.confirmation-asked",
    followed: { while: "assigned", label: "A student is asked to confirm what will be sent" },
    mail: "immediate",
    reachesLeaving: false,
    title: ({ application = "your application" }) => `Please confirm what we'll send for ${application}`,
    details: () => "Nothing is sent to the university until you have looked at the list and confirmed it.",
    button: "Look at the list",
  }),
  listConfirmed: kind({
    label: "A student confirmed what will be sent",
    roles: ["agent", "admin"],
    about: { student: "always", application: "always" },
    ids: { studentId: "always", applicationId: "always" },
    event: "application.confirmed",
    mail: "applications",
    reachesLeaving: false,
    title: ({ student = "A student", application = "an application" }) =>
      `${student} has confirmed what will be sent for ${application}`,
    button: "Open application",
  }),
};
