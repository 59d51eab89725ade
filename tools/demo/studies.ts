import { calendarDate } from "#domain/calendar-date.ts";
import { genders } from "#domain/profile.ts";
import { checkProfile } from "#domain/profile-check.ts";
import { checkShortlistItem } from "#domain/shortlist.ts";
import { notificationsOfAssignment } from "#server/features/assignments/commands/assign-agent.ts";
import { columnsOf } from "#server/features/profile/store-profile.ts";
import type { profile } from "#server/features/profile/tables.ts";
import type { shortlistItem } from "#server/features/shortlist/tables.ts";
import { ApplicationPlan, type Applications } from "./applications.ts";
import { DocumentPlan, type PlannedDocument } from "./documents.ts";
import type { Events } from "./events.ts";
import { MessagePlan, type Messages } from "./messages.ts";
import { cities } from "./names.ts";
import { NotePlan } from "./notes.ts";
import type { Account, People } from "./people.ts";
import type { DemoProgramme } from "./programmes.ts";
import { at, Random } from "./random.ts";
import { after, day } from "./time.ts";

type ProfileRow = typeof profile.$inferInsert;
type Item = typeof shortlistItem.$inferInsert;
export type Studies = Applications &
  Messages &
  NotePlan["all"] & {
    profiles: ProfileRow[];
    shortlist: Item[];
    documents: PlannedDocument[];
  };

/** Universities with a course and its web site. */
const courses: readonly (readonly [university: string, course: string, url: string])[] = [
  ["University of Leeds", "MSc Data Science and Analytics", "https://www.leeds.ac.uk/"],
  ["University of Manchester", "MSc Data Science", "https://www.manchester.ac.uk/"],
  ["University of British Columbia", "Master of Data Science", "https://www.ubc.ca/"],
  ["University of Toronto", "BEng Civil Engineering", "https://www.utoronto.ca/"],
  [
    "Trinity College Dublin, the University of Dublin",
    "MSc in Computer Science (Data Science strand, one year)",
    "https://www.tcd.ie/",
  ],
  ["University College Dublin", "MA Design", "https://www.ucd.ie/"],
  ["Khalifa University", "MSc Sustainable Critical Infrastructure", "https://www.ku.ac.ae/"],
  ["University of Edinburgh", "MSc Artificial Intelligence", "https://www.ed.ac.uk/"],
  ["Arizona State University", "BS Business Data Analytics", "https://www.asu.edu/"],
  ["McGill University", "MA Economics", "https://www.mcgill.ca/"],
  ["Universität Zürich", "Master of Science in Informatics, Major Data Science", "https://www.uzh.ch/"],
  ["UCL", "MSc", "https://www.ucl.ac.uk/"],
];

/** Fills in a profile, with gaps by chance: half-filled ones are the most frequent. */
function profileOf(random: Random, student: Account, today: string, isComplete: boolean): ProfileRow {
  const gaps = (text: string) => (isComplete || random.chance(0.75) ? text : "");
  const year = Number(today.slice(0, 4));
  const profile = checkProfile(
    {
      firstName: student.firstName ?? "",
      lastName: student.lastName ?? "",
      email: student.email,
      phoneNumber: student.phone ?? "",
      middleName: gaps(random.pick(["", "Ngozi", "K.", "Élise", "bin Rashid"])),
      dateOfBirth: gaps(`${year - random.whole(18, 34)}-0${random.whole(1, 9)}-${random.whole(10, 28)}`),
      idNumber: gaps(`ID-${random.whole(100_000, 999_999)}`),
      citizenship: student.citizenship,
      passportNumber: gaps(`${random.pick(["A", "B", "X"])}${random.whole(10_000_000, 99_999_999)}`),
      passportExpiry: gaps(`${year + random.whole(-1, 8)}-0${random.whole(1, 9)}-${random.whole(10, 28)}`),
      gender: gaps(random.pick(genders)),
      addressLine1: gaps(
        `${random.whole(1, 240)} ${random.pick(["Palm Grove", "Station Road", "Rua das Flores", "Hill Street"])}`,
      ),
      addressLine2: random.chance(0.3) ? `Flat ${random.whole(1, 40)}B` : "",
      city: gaps(random.pick(cities)),
      state: "",
      postalCode: gaps(String(random.whole(10_000, 99_999))),
      country: student.citizenship,
    },
    { role: "student", today, stored: {} },
  );
  if ("code" in profile) throw new Error(`${student.email}: ${profile.message}`);
  student.country = profile.country;
  return { userId: student.id, ...columnsOf(profile) };
}

function shortlistOf(random: Random, student: Account, number: number, now: Date): Item[] {
  const picks = random.some(courses, number);
  const times = random.times(picks.length, after(student.createdAt, day), now);
  return picks.map(([university, course, url], place) => {
    const item = checkShortlistItem({ university, course, url });
    if ("code" in item) throw new Error(`${course}: ${item.message}`);
    const byAgent = typeof student.assignedAgentId === "string" && random.chance(0.4);
    const addedBy = byAgent && student.assignedAgentId ? student.assignedAgentId : student.id;
    const { id: studentId } = student;
    return Object.assign(item, { id: random.uuid(), studentId, addedBy, createdAt: times[place] ?? now });
  });
}

/** Plans the students' agents, profiles, documents, applications and shortlists. The first student has all of them. */
export function planStudies(
  { admins, agents, students }: People,
  programmes: readonly DemoProgramme[],
  events: Events,
  now: Date,
): Studies {
  const random = new Random("studies");
  const today = calendarDate(now);
  const applications = new ApplicationPlan(programmes, events, now);
  const documents = new DocumentPlan(events, now);
  const notes = new NotePlan(events, now);
  const messages = new MessagePlan(now);
  const profiles: ProfileRow[] = [];
  const shortlist: Item[] = [];
  for (const [place, student] of students.entries()) {
    const isLead = place === 0;
    recordAgent(random, student, at(admins, 0), agents, events);
    if (student.status !== "active") continue;
    if (isLead || random.chance(0.7)) {
      const isComplete = isLead || random.chance(0.4);
      profiles.push({
        ...profileOf(random, student, today, isComplete),
        updatedAt: after(student.createdAt, day),
      });
    }
    for (const item of shortlistOf(random, student, isLead ? 6 : random.whole(0, 4), now)) {
      shortlist.push(item);
      const { addedBy: actorId, studentId: subjectId, createdAt = now } = item;
      events.audit(createdAt, { action: "shortlist-added", actorId, subjectId, detail: { item: item.id } });
    }
    documents.add(student, isLead);
    applications.add(student, isLead);
    notes.add(student, at(admins, 0), isLead);
    messages.add(
      student,
      applications.all.applications.filter(({ studentId }) => studentId === student.id),
      isLead,
    );
  }
  return {
    ...applications.all,
    ...notes.all,
    ...messages.all,
    profiles,
    shortlist,
    documents: documents.all,
  };
}

function recordAgent(
  random: Random,
  student: Account,
  admin: Account,
  agents: readonly Account[],
  events: Events,
) {
  const agent = agents.find(({ id }) => id === student.assignedAgentId);
  if (!agent || !student.assignedAt) return;
  // Half of the students were taken on by the agents themselves.
  const actorId = random.chance(0.5) ? admin.id : agent.id;
  const { assignedAt, id: subjectId } = student;
  events.audit(assignedAt, { action: "agent-assigned", actorId, subjectId, detail: { agent: agent.id } });
  const eventKey = `agent-assigned:${random.uuid()}`;
  events.notify(assignedAt, ...notificationsOfAssignment({ userId: actorId }, student, agent, eventKey));
}
