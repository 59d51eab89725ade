import { applicationDetails, applicationTitle } from "../application-news.ts";
import { because, kind } from "./kind.ts";

/** News of a student's documents and applications. */
export const studies = {
  documentUploaded: kind({
    label: "A document is ready for review",
    roles: ["agent"],
    about: { student: "always", document: "always" },
    ids: { studentId: "always", documentId: "always" },
    event: "document.uploaded",
    mail: "uploads",
    reachesLeaving: false,
    title: ({ student = "A student", document = "a document" }) => `${student} uploaded: ${document}`,
    button: "Review documents",
  }),
  documentApproved: kind({
    label: "A document was approved",
    roles: ["student"],
    about: { document: "always" },
    ids: { studentId: "always", documentId: "always" },
    event: "document.approved",
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
      state: "always",
      from: "sometimes",
      student: "sometimes",
      note: "sometimes",
    },
    ids: { studentId: "always", applicationId: "always" },
    event: "application.moved",
    mail: "applications",
    reachesLeaving: false,
    title: applicationTitle,
    details: applicationDetails,
    button: "Open application",
  }),
};
