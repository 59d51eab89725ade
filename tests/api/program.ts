import createClient from "openapi-fetch";
import type { components, paths } from "wayfare-api";

type Student = components["schemas"]["Student"];
type Application = components["schemas"]["Application"];
type Bid = components["schemas"]["Bid"];
type Problem = components["schemas"]["Problem"];

const [url = "", key = "", productId = ""] = process.argv.slice(2);
const client = createClient<paths>({
  baseUrl: `${url}/api/v1`,
  headers: { authorization: `Bearer ${key}` },
});

function dataOf<Data>({ data, error }: { data?: Data; error?: Problem }): Data {
  if (data === undefined) throw new Error(error ? `${error.code}: ${error.detail}` : "no answer");
  return data;
}

async function students(cursor?: string): Promise<Student[]> {
  const query = { limit: 2, ...(cursor !== undefined && { cursor }) };
  const page = dataOf(await client.GET("/students", { params: { query } }));
  return [...page.students, ...(page.next === null ? [] : await students(page.next))];
}

async function applicationsOf(studentId: string): Promise<Application[]> {
  const answer = await client.GET("/students/{studentId}/applications", { params: { path: { studentId } } });
  return dataOf(answer).applications;
}

async function take(application: Application): Promise<void> {
  const answer = await client.POST("/applications/{applicationId}/moves", {
    params: {
      path: { applicationId: application.id },
      header: { "Idempotency-Key": crypto.randomUUID() },
    },
    body: { version: application.version, to: "inReview", note: "On it." },
  });
  dataOf(answer);
}

async function bid(amount: number): Promise<Bid["amount"]> {
  const answer = await client.POST("/auctions/{productId}/bids", {
    params: { path: { productId }, header: { "Idempotency-Key": crypto.randomUUID() } },
    body: { amount },
  });
  return dataOf(answer).amount;
}

async function bids(below?: number): Promise<Bid[]> {
  const query = { limit: 2, ...(below !== undefined && { below }) };
  const page = dataOf(
    await client.GET("/auctions/{productId}/bids", { params: { path: { productId }, query } }),
  );
  return [...page.bids, ...(page.next === null ? [] : await bids(page.next))];
}

type BidBody = paths["/auctions/{productId}/bids"]["post"]["requestBody"]["content"]["application/json"];
// @ts-expect-error An amount must be a number.
export const refused: BidBody = { amount: "50000" };

const everyone = await students();
const moved: Application["state"][] = [];
for (const { id } of everyone)
  for (const application of await applicationsOf(id)) {
    await take(application);
    moved.push(...(await applicationsOf(id)).map(({ state }) => state));
  }
for (const amount of [20_000, 30_000, 50_000]) await bid(amount);
const history = await bids();
console.log(
  JSON.stringify({
    students: everyone.map(({ email }) => email),
    moved,
    bids: history.map(({ amount, at }) => [amount, at === new Date(at).toISOString()]),
  }),
);
