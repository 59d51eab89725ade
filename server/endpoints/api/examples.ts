import { isObject, type NamedSchemas, resolved } from "./named-schemas.ts";

const uuid = "0b6f3f5e-6a3c-4d55-9a53-3b7f8a1c2d4e";
const moment = "2026-11-23T09:30:00.000Z";

/** Values by the name of their field, where the schema alone doesn't say what could be in it. */
const texts: Record<string, string> = {
  action: "sign-in",
  additionalInfo: "I'd like to start with a foundation year.",
  address: "203.0.113.7",
  agency: "Obi Study Abroad",
  bidder: "T***a",
  by: "admin@wayfare.example",
  code: "not-found",
  countries: "GB",
  country: "Nigeria",
  course: "MSc Data Science",
  detail: "Please fill in all fields.",
  email: "ada@wayfare.example",
  error: "ECONNREFUSED",
  field: "note",
  corrected: "phone",
  id: uuid,
  intake: "Fall Intake (August or September)",
  mail: "verify",
  name: "Ada Obi",
  next: "WyIyMDI2LTExLTIzIiwiMGI2ZjNmNWUiXQ",
  note: "Your transcript is with the university.",
  path: "/auctions",
  phone: "+234 803 123 4567",
  problem: "an entry was changed",
  productName: "Walnut writing desk",
  program: "MSc Data Science",
  queue: "mail",
  reason: "The scan can't be read.",
  subcategory: "Furniture",
  tag: "k3JxQ0aVb1Zc",
  university: "University of Leeds",
  url: "https://leeds.example/data-science",
  who: "ada@wayfare.example",
};
const cents = 19_000;
const numbers: Record<string, number> = {
  amount: cents,
  days: 365,
  height: 900,
  ownBid: cents,
  price: cents,
  size: 482_133,
  version: 3,
  width: 1200,
};

function valueOf(name: string, { type, format }: Record<string, unknown>): unknown {
  if (format === "date-time") return moment;
  if (format === "uuid") return uuid;
  if (type === "boolean") return false;
  if (type === "null") return null;
  // Everything else that is a number counts something.
  if (type === "integer" || type === "number") return numbers[name] ?? 1;
  const text = name.endsWith("Id") ? uuid : texts[name];
  if (text === undefined) throw new Error(`${name} needs an example`);
  return text;
}

/** A value that a schema of the document allows. `name`: of the field that it is the value of. */
export function exampleOf(of: unknown, named: NamedSchemas, name = ""): unknown {
  const schema = resolved(of, named);
  const { anyOf, oneOf, enum: choices, items, properties, additionalProperties } = schema;
  if ("const" in schema) return schema["const"];
  if (Array.isArray(choices)) return choices[0];
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) return exampleOf(alternatives[0], named, name);
  if (isObject(properties))
    return Object.fromEntries(
      Object.entries(properties).map(([key, each]) => [key, exampleOf(each, named, key)]),
    );
  if (items !== undefined) return [exampleOf(items, named, name)];
  if (additionalProperties !== undefined) return {};
  return valueOf(name, schema);
}
