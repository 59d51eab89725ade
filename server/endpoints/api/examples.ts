import { isObject, type NamedSchemas, resolved } from "./named-schemas.ts";

const uuid = "0b6f3f5e-6a3c-4d55-9a53-3b7f8a1c2d4e";
const moment = "2026-11-23T09:30:00.000Z";

/** Values by field name, where the schema alone doesn't say what the field may hold. */
const texts: Record<string, string> = {
  action: "sign-in",
  award: "MSc",
  checkedBy: "Ada Obi",
  checkedOn: "2026-11-02",
  day: "2026-11-24",
  fields: "fees",
  fromGrade: "70",
  grade: "Upper second (2:1)",
  group: "West Africa",
  fromScale: "percent",
  into: "5f0d3c52-1f0e-4b7e-8f0a-6f6a1f0c9b11",
  otherNames: "Leeds University",
  perRand: "0.0432",
  place: "Leeds",
  scale: "ukHonours",
  slug: "msc-data-science-university-of-leeds-0b6f3f5e",
  source: "leeds.example",
  due: "2027-03-31",
  toGrade: "First",
  toScale: "ukHonours",
  website: "https://leeds.example/",
  additionalInfo: "I'd like to start with a foundation year.",
  kind: "task",
  address: "203.0.113.7",
  answer: "Yes, its legs fold.",
  asker: "T***a",
  buyer: "Thandi Nkosi",
  collectionPlace: "Cape Town",
  description: "Solid walnut, two drawers.",
  handover: "Collection in Cape Town",

  agency: "Obi Study Abroad",
  agent: "Kofi Mensah",
  bidder: "T***a",
  by: "admin@wayfare.example",
  claim: "My result is 7.0.",
  code: "not-found",
  countries: "GB",
  country: "Nigeria",
  date: "2027-08-12",
  documents: "Transcript",
  course: "MSc Data Science",
  detail: "Please fill in all fields.",
  email: "ada@wayfare.example",
  error: "ECONNREFUSED",
  expires: "2028-03-14",
  field: "note",
  files: uuid,
  message: "We met at the fair in Accra.",
  keyId: "45df8cceab362931",
  salt: "9f86d081884c7d659a2feaa0c55ad015",
  signature: "uLE9wx4hI8QVEWX6PE4fotE0/0+NVII1kpIYUqlWHeoUhvCQZ8ZMOjjYyJZi0arncTBnZWJkzHMWR0ORnptRBw==",
  commitment: "9c15224a8228b9a98ca1531d3c6e0b8a9c15224a8228b9a98ca1531d3c6e0b8a",
  lastName: "Owusu",
  hash: "3c6e0b8a9c15224a8228b9a98ca1531d3c6e0b8a9c15224a8228b9a98ca1531d",
  firstName: "Ada",
  corrected: "phone",
  id: uuid,
  ids: uuid,
  intake: "Fall Intake (August or September)",
  mail: "verify",
  month: "2027-09",
  name: "Ada Obi",
  next: "WyIyMDI2LTExLTIzIiwiMGI2ZjNmNWUiXQ",
  note: "Your transcript is with the university.",
  other: "0b6f3f5e-6a3c-4d55-9a53-3b7f8a1c2d4f",
  otherIds: uuid,
  on: "2027-01-12",
  paidOn: "2027-01-12",
  path: "/auctions",
  preview: "Must my transcript be certified?",
  phone: "+234 803 123 4567",
  phoneNumber: "+234 803 123 4567",
  problem: "an entry was changed",
  productName: "Walnut writing desk",
  program: "MSc Data Science",
  queue: "mail",
  reason: "The scan can't be read.",
  search: "Obi",
  seen: "2027-01-10",
  studentIds: uuid,
  subcategory: "Furniture",
  subject: "Mathematics",
  takenOn: "2026-03-14",
  tag: "k3JxQ0aVb1Zc",
  text: "Called Ada: the transcript comes on Friday.",
  start: "2027-09-01",
  startDate: "2027-09-20",
  state: "conditionalOffer",
  studentZone: "Africa/Lagos",
  time: "17:00",
  type: "application/pdf",
  university: "University of Leeds",
  version: "3c6e0b8a9c15224a8228b9a98ca1531d3c6e0b8a9c15224a8228b9a98ca1531d",
  value: "GB",
  year: "2027",
  url: "https://leeds.example/data-science",
  pausedUntil: "2027-01-10",
  thing: `task:${uuid}`,
  timeZone: "Africa/Lagos",
  title: "Book the English test",
  lastDay: "2027-01-10",
  zone: "Europe/London",
  who: "ada@wayfare.example",
  asked: "6.5",
  enter: "the date of birth",
  groups: "West Africa",
  has: "6.0",
  judgedFor: "2027-09-01",
  what: "writing",
  why: "Somebody has an offer already.",
};
const cents = 19_000;
const numbers: Record<string, number> = {
  academicYear: 2026,
  amount: cents,
  firstYear: 2020,
  lastYear: 2026,
  month: 9,
  months: 12,
  courier: 9_900,
  startingBid: cents,
  sum: cents,
  days: 365,
  height: 900,
  overall: 6.5,
  ownBid: cents,
  price: cents,
  size: 482_133,
  version: 3,
  year: 2027,
  width: 1200,
  workMonths: 18,
};

function valueOf(name: string, { type, format, maxLength }: Record<string, unknown>): unknown {
  if (format === "date-time") return moment;
  if (format === "uuid") return texts[name] ?? uuid;
  if (type === "boolean") return false;
  if (type === "null") return null;
  // All other numbers are counts.
  if (type === "integer" || type === "number") return numbers[name] ?? 1;
  // Only country codes are that short.
  if (maxLength === 2) return "NG";
  const text = name.endsWith("Id") ? uuid : texts[name];
  if (text === undefined) throw new Error(`${name} needs an example`);
  return text;
}

/** Returns a value that a schema of the document allows. `name`: the name of its field. */
export function exampleOf(node: unknown, schemas: NamedSchemas, name = ""): unknown {
  const schema = resolved(node, schemas);
  const { anyOf, oneOf, enum: choices, items, properties, additionalProperties } = schema;
  if ("const" in schema) return schema["const"];
  if (Array.isArray(choices)) return choices.find((choice) => choice === texts[name]) ?? choices[0];
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) {
    // A deadline names a group only where the consultancy has one of that name.
    if (name === "group") return null;
    return exampleOf(alternatives[0], schemas, name);
  }
  if (isObject(properties))
    return Object.fromEntries(
      Object.entries(properties).map(([key, each]) => [key, exampleOf(each, schemas, key)]),
    );
  if (items !== undefined) return [exampleOf(items, schemas, name)];
  if (additionalProperties !== undefined) return {};
  return valueOf(name, schema);
}
