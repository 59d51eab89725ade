import type { APIRequestContext } from "@playwright/test";

/**
 * Calls a procedure as the pages do, without a page: `account/signUp`. With a browser context's `request` its pages
 * share the cookies, so they are signed in afterwards. Rejects when the call is refused.
 */
export async function call(
  request: APIRequestContext,
  origin: string,
  procedure: string,
  input: object,
): Promise<void> {
  const response = await request.post(`${origin}/rpc/${procedure}`, {
    headers: { "content-type": "application/json", "x-csrf-token": "orpc", origin },
    data: JSON.stringify({ json: input }),
  });
  if (!response.ok()) throw new Error(`${procedure} answered ${response.status()}: ${await response.text()}`);
}
