import type { ReactNode } from "react";
import type { ApiReference } from "#contract/api-reference.ts";
import { TextLink } from "../../ui/text-link.tsx";
import classes from "./api-docs.module.css";
import { Opening } from "./operation.tsx";

/** Returns the id that links to a chapter use. */
export const anchorOf = (title: string): string => title.toLowerCase().replaceAll(" ", "-");

export const Chapter = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-labelledby={anchorOf(title)}>
    <h2 id={anchorOf(title)} className={classes.title}>
      {title}
    </h2>
    {children}
  </section>
);

export const introductionTitles = ["Keys", "Errors", "Limits", "Repeated calls", "Long lists", "Webhooks"];

/** The rules that apply to every call. */
export function Introduction({ baseUrl, codes }: Pick<ApiReference, "baseUrl" | "codes">) {
  return (
    <>
      <Chapter title="Keys">
        <p>
          Approved agents and admins create keys under <TextLink to="/api-keys">API keys</TextLink>. A key
          acts as the person who created it, within the scopes chosen for it. Send it with every call:
        </p>
        <pre className={classes.example}>
          <code>{`curl -H "Authorization: Bearer wf_…" \\\n  ${baseUrl}/api/v1/students`}</code>
        </pre>
        <p>
          Bodies and answers are JSON. Amounts are whole cents of rand, in and out: 19000 is R190.00. Times
          are ISO 8601 in UTC. A number is a number in a body: text in its place is refused. The whole
          interface is in an <a href="/api/openapi.json">OpenAPI 3.1 document</a>. Identity details and files
          of students are not part of it. The document may be read from any site. Answers to calls may not
          (there is no CORS): a key is for your server.
        </p>
      </Chapter>
      <Chapter title="Errors">
        <p>
          A failure is <code>application/problem+json</code> (RFC 9457). Tell failures apart by{" "}
          <code>code</code>; <code>detail</code> is for people. <code>title</code> says the code in a few
          words. <code>errors</code> names each field that is wrong and what is wrong with it, and{" "}
          <code>requestId</code> is what to quote if you contact us.
        </p>
        <Opening summary={<h3 className={classes.name}>All {codes.length} codes</h3>}>
          <ul className={classes.fields}>
            {codes.map(({ code, anchor, status, meaning }) => (
              <li key={code} id={anchor}>
                <code>{code}</code>
                <span className={classes.note}>
                  {status}: {meaning}
                </span>
              </li>
            ))}
          </ul>
        </Opening>
      </Chapter>
      <Chapter title="Limits">
        <p>
          A key may make 600 calls a minute, an account 1,200 in all and 120 changes, and a network address
          120 searches. Every answer says in <code>RateLimit-Limit</code>, <code>RateLimit-Remaining</code>{" "}
          and <code>RateLimit-Reset</code> how many are left of the limit that will be reached first, and for
          how many seconds. Beyond that the answer is 429, with <code>Retry-After</code> in seconds. Longer
          limits, of messages or invitations a day for example, are only said by their 429. A body has at most
          128 KB.
        </p>
      </Chapter>
      <Chapter title="Repeated calls">
        <p>
          Send an <code>Idempotency-Key</code> with a change, a new UUID for each. If you don't get an answer,
          send the same request again: it's carried out once, and the first answer is repeated for 24 hours,
          with <code>Idempotency-Replayed: true</code>. The same key with another request is answered with
          422, and with 409 while the first is still running. An account can use 2,000 keys a day. A bid
          always needs one; its key counts as long as the auction, and for another bid it's answered with{" "}
          <code>already-exists</code>. If a crash interrupts a change, the answer is 409 for a minute; then
          the same request runs again. What had been done isn't done twice: it's refused or changes nothing.
          Only an email may be sent twice.
        </p>
      </Chapter>
      <Chapter title="Long lists">
        <p>
          Lists come in pages. <code>limit</code> asks for fewer entries. While there are more, the answer has
          a <code>Link</code> header with <code>rel="next"</code>, which is the address of the next page; the
          same place in the list is in <code>next</code>.
        </p>
      </Chapter>
      <Chapter title="Webhooks">
        <p>
          No need to keep asking what has changed: <TextLink to="/webhooks">webhooks</TextLink> tell your
          server, with ids to look up here. They're signed as described by Standard Webhooks; each event is in
          the document too, under <code>webhooks</code>.
        </p>
      </Chapter>
    </>
  );
}
