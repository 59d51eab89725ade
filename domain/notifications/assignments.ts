import { kind } from "./kind.ts";

/** Whether a text gives the number of several students instead of a name. */
const areSeveral = (students: string): boolean => /^(\d+|Some) students$/.test(students);

/** Notifications for students and agents about getting or losing each other. */
export const assignments = {
  agentAssigned: kind({
    label: "You have a new agent",
    roles: ["student"],
    about: { agent: "always" },
    ids: { agentId: "always" },
    event: "agent.assigned",
    mail: "ownAgent",
    reachesLeaving: false,
    title: ({ agent = "A new agent" }) => `${agent} is now your agent`,
    button: "Meet your agent",
  }),
  studentAssigned: kind({
    label: "You have a new student",
    roles: ["agent"],
    about: { student: "sometimes", students: "sometimes" },
    ids: { studentId: "sometimes" },
    event: "student.assigned",
    mail: "ownStudents",
    reachesLeaving: false,
    title: ({ student = "A student", students }) =>
      students
        ? `You have ${students.replace(" student", " new student")}`
        : `${student} is now your student`,
    button: "See the student",
  }),
  studentReassigned: kind({
    label: "A student is no longer yours",
    roles: ["agent"],
    about: { student: "sometimes", students: "sometimes", agent: "sometimes" },
    ids: { studentId: "sometimes" },
    event: "student.reassigned",
    mail: "ownStudents",
    reachesLeaving: false,
    title: ({ student = "A student", students = student }) =>
      areSeveral(students) ? `${students} are no longer yours` : `${students} is no longer your student`,
    details: ({ agent }) => (agent === undefined ? "" : `${agent} is now their agent.`),
    button: "View your students",
  }),
  agentLost: kind({
    label: "Your agent can no longer help you",
    roles: ["student"],
    about: { agent: "sometimes" },
    ids: { agentId: "sometimes" },
    event: "agent.lost",
    mail: "ownAgent",
    reachesLeaving: false,
    title: ({ agent = "Your agent" }) => `${agent} can no longer help you`,
    details: () => "We'll find you another agent.",
    button: "Open your dashboard",
  }),
  sharingChanged: kind({
    label: "A student stopped or resumed sharing",
    roles: ["agent"],
    about: { student: "always", sharing: "always" },
    ids: { studentId: "always" },
    event: "student.sharing-changed",
    mail: "ownStudents",
    reachesLeaving: false,
    title: ({ student = "A student", sharing }) =>
      sharing === "resumed"
        ? `${student} shares their papers with you again`
        : `${student} has stopped sharing their papers with you`,
    details: ({ sharing }) =>
      sharing === "resumed" ? "" : "You still see their applications, but no identity details and no files.",
    button: "See the student",
  }),
  agentChangeDecided: kind({
    label: "Your request for another agent was answered",
    roles: ["student"],
    about: { outcome: "always", agent: "sometimes", reason: "sometimes" },
    ids: { agentId: "sometimes" },
    event: "agent.change-decided",
    mail: "ownAgent",
    reachesLeaving: false,
    title: ({ outcome, agent = "Your agent" }) =>
      outcome === "stays" ? `${agent} stays your agent` : `${agent} is no longer your agent`,
    details: ({ outcome, reason = "" }) =>
      outcome === "stays" ? `You asked for another agent.${reason && ` Reason: ${reason}`}` : "As you asked.",
    button: "Open your dashboard",
  }),
  /** Agents get `studentAssigned` instead. */
  invitationClaimed: kind({
    label: "Somebody accepted your invitation",
    roles: ["admin"],
    about: { person: "always" },
    ids: { invitationId: "always" },
    event: "invitation.accepted",
    mail: "ownStudents",
    reachesLeaving: false,
    title: ({ person = "Somebody" }) => `${person} has accepted your invitation`,
    button: "See your invitations",
  }),
  invitationDeclined: kind({
    label: "Somebody declined your invitation",
    roles: ["agent", "admin"],
    about: { person: "always" },
    ids: { invitationId: "always" },
    event: "invitation.declined",
    mail: "ownStudents",
    reachesLeaving: false,
    title: ({ person = "Somebody" }) => `${person} has declined your invitation`,
    button: "See your invitations",
  }),
};

/** Notifications for admins about agents. */
export const agents = {
  agentChangeAsked: kind({
    label: "A student asks for another agent",
    roles: ["admin"],
    about: { student: "always", agent: "always", day: "always" },
    ids: { studentId: "always" },
    event: "agent.change-asked",
    mail: "immediate",
    reachesLeaving: false,
    title: ({ student = "A student" }) => `${student} asks for another agent`,
    details: ({ agent = "their agent", day }) =>
      `${agent} is not told.${day === undefined ? "" : ` Please answer by ${day}.`}`,
    button: "See the request",
  }),
  agentApplied: kind({
    label: "An agent has applied",
    roles: ["admin"],
    about: { agent: "always", agency: "always" },
    ids: { agentId: "always" },
    event: "agent.applied",
    mail: "applicants",
    reachesLeaving: false,
    title: ({ agent = "An agent", agency = "" }) =>
      `${agency ? `${agent} (${agency})` : agent} has applied as an agent`,
    button: "Review agents",
  }),
  studentsLeft: kind({
    label: "Students need a new agent",
    roles: ["admin"],
    about: { agent: "always", students: "always" },
    ids: { agentId: "always" },
    event: "agent.students-left",
    mail: "unassigned",
    reachesLeaving: false,
    title: ({ students = "Some students" }) =>
      `${students} ${areSeveral(students) ? "need" : "needs"} a new agent`,
    details: ({ agent }) => (agent === undefined ? "" : `${agent} is no longer an agent.`),
    button: "View unassigned students",
  }),
  agentPace: kind({
    label: "An agent reached an hourly limit",
    roles: ["admin"],
    about: { agent: "always", what: "always" },
    ids: { agentId: "always" },
    event: "agent.pace",
    mail: "immediate",
    reachesLeaving: false,
    title: ({ agent = "An agent" }) => `${agent} reached an hourly limit`,
    details: ({ what = "opening students' details and files" }) =>
      `The limit is for ${what}. Please check that this is expected.`,
    button: "Review agents",
  }),
  agentLeaving: kind({
    label: "An agent is closing their account",
    roles: ["admin"],
    about: { agent: "always", day: "always" },
    ids: { agentId: "always" },
    event: "agent.leaving",
    mail: "immediate",
    reachesLeaving: false,
    title: ({ agent = "An agent", day }) =>
      `${agent} is closing their account${day === undefined ? "" : ` on ${day}`}`,
    details: () => "Please hand over their students.",
    button: "Review agents",
  }),
};
