/** Calls a procedure of a real server from a network address, as its proxy forwards it. */
export async function callFrom(url: string, address: string, procedure: string, input: object) {
  const response = await fetch(`${url}/rpc/${procedure}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-csrf-token": "orpc",
      "x-forwarded-for": address,
    },
    body: JSON.stringify({ json: input }),
  });
  const body: unknown = JSON.parse(await response.text());
  return { status: response.status, body, headers: response.headers };
}

export type CallResult = Awaited<ReturnType<typeof callFrom>>;

/** Counts the answers by status, for a figure's detail. */
export function countStatuses(answers: readonly CallResult[]): string {
  const counts = Map.groupBy(answers, ({ status }) => status);
  return [...counts].map(([status, { length }]) => `${length} × ${status}`).join(", ");
}
