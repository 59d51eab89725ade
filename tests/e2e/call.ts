import type { APIRequestContext } from "@playwright/test";

/**
 * Calls a procedure such as `account/signUp` as the pages do, without a page. A browser context's `request` shares
 * cookies with its pages, so they are signed in afterwards. Resolves to the answer; rejects when the call is refused.
 */
export async function call(
  request: APIRequestContext,
  origin: string,
  procedure: string,
  input: object,
): Promise<unknown> {
  const response = await request.post(`${origin}/rpc/${procedure}`, {
    headers: { "content-type": "application/json", "x-csrf-token": "orpc", origin },
    data: JSON.stringify({ json: input }),
    // The server may close a kept-alive connection at the moment of its use.
    maxRetries: 2,
    // A password takes long on a busy machine.
    timeout: 120_000,
  });
  if (!response.ok()) throw new Error(`${procedure} answered ${response.status()}: ${await response.text()}`);
  return (await response.json()).json;
}
