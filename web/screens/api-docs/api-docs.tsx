import { useEffect } from "react";
import { useLocation } from "react-router";
import type { ApiReference } from "#contract/api-reference.ts";
import { publicMeta } from "../../lib/page-meta.ts";
import { onServer } from "../../load-context.ts";
import { Page } from "../../ui/page.tsx";
import type { Route } from "./+types/api-docs.ts";
import classes from "./api-docs.module.css";
import { anchorOf, Chapter, Introduction, introductionTitles } from "./introduction.tsx";
import { Operation } from "./operation.tsx";

const title = "API reference";

export const meta = () =>
  publicMeta("/api/docs", title, "How programs work with Wayfare: keys, calls, answers and errors.");

export async function loader({ context }: Route.LoaderArgs): Promise<ApiReference> {
  return await context.get(onServer).rpc.apiReference.read();
}
/** The reference only changes with a new version of Wayfare. */
export const shouldRevalidate = () => false;

/** Returns the title of an operation's feature: "Saved views" for `savedViews.list`. */
function featureOf(id: string): string {
  const words = id.replace(/\..*/, "").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The API reference: public, and readable without JavaScript. */
export default function ApiDocs({ loaderData }: Route.ComponentProps) {
  const { baseUrl, operations, codes } = loaderData;
  const features = [...new Set(operations.map(({ id }) => featureOf(id)))].toSorted();
  useOpenTarget();
  return (
    <Page title={title} lead="Everything your own programs can do with Wayfare.">
      <div className={classes.columns}>
        <nav aria-label="On this page" className={classes.contents}>
          <Contents title="How it works" chapters={introductionTitles} />
          <Contents title="Calls" chapters={features} />
        </nav>
        <div className={classes.text}>
          <Introduction baseUrl={baseUrl} codes={codes} />
          {features.map((feature) => (
            <Chapter key={feature} title={feature}>
              {operations
                .filter(({ id }) => featureOf(id) === feature)
                .map((operation) => (
                  <Operation key={operation.id} {...operation} />
                ))}
            </Chapter>
          ))}
        </div>
      </div>
    </Page>
  );
}

const Contents = ({ title, chapters }: { title: string; chapters: readonly string[] }) => (
  <>
    <h2 className={classes.kind}>{title}</h2>
    <ul>
      {chapters.map((chapter) => (
        <li key={chapter}>
          <a href={`#${anchorOf(chapter)}`}>{chapter}</a>
        </li>
      ))}
    </ul>
  </>
);

/** Opens the element that a link leads into, because some browsers don't. */
function useOpenTarget() {
  const { hash } = useLocation();
  useEffect(() => {
    const target = document.getElementById(hash.slice(1));
    const closed = target?.closest("details:not([open])");
    if (!target || !closed) return;
    closed.setAttribute("open", "");
    target.scrollIntoView();
  }, [hash]);
}
